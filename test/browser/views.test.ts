import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { playgroundEditor } from './helpers/playground.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace
let calls = 0

beforeEach(async () => {
  calls = 0
  workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    prepare: ({ apps }) =>
      apps.create({
        name: 'Billing',
        headers: { 'x-secret': 'k3y' },
        target: endpoint((parameters) => {
          calls += 1
          return createPayload(
            { type: 'text', label: 'Issue', value: parameters.get('issue_id') },
            ...(calls > 1 ? [{ type: 'text', label: 'Seats', value: 24 }] : []),
          )
        }),
      }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(() => workspace[Symbol.asyncDispose]())

const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())

test('the inspector shows the request and the response without header values', async () => {
  const { page, open, emulator } = workspace
  await open('#/inspector')
  await page.locator('.code_block_code-block').waitFor()
  const [request, response] = await Promise.all([
    page.getByRole('region', { name: 'Request' }).innerText(),
    page.getByRole('region', { name: 'Response' }).innerText(),
  ])
  expect(request).toContain('requester_email')
  expect(request).toContain(emulator.issues.list()[0]?.requester.email)
  expect(request).toContain('x-secret')
  expect(response).toContain('application/json')
  expect(response).toContain('"label": "Issue"')
  expect(await page.content()).not.toContain('k3y')
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await expect.poll(clipboard).toMatch(/^curl /)
  expect(await clipboard()).not.toContain('k3y')
})

test('a replay sends the request again and shows the new response with its findings', async () => {
  const { page, open } = workspace
  await open('#/inspector')
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('replay of').waitFor()
  const findings = page.getByRole('region', { name: 'Findings' })
  expect(await findings.innerText()).toContain('components[1].value')
  expect(await findings.locator('.findings_rule-id').first().innerText()).toBe('field-type')
  expect(calls).toBe(2)
})

test('the response of a widget can be opened and edited in the playground', async () => {
  const { page } = workspace
  await page.getByRole('button', { name: 'Billing menu' }).click()
  await page.getByRole('menuitem', { name: 'Open in playground' }).click()
  const editor = playgroundEditor(page)
  await page.locator('.playground_playground .widget_row-label').getByText('Issue').waitFor()
  await editor.fill((await editor.text()).replace('"Issue"', '"Ticket"'))
  await expectVisible(page.locator('.widget_row-label').getByText('Ticket'))
})

test('the playground shows the builder code of its payload', async () => {
  const { page, open } = workspace
  await open('#/playground')
  await page.getByLabel('Start from an example').selectOption({ label: 'A customer' })
  await page.getByRole('tab', { name: 'Builder code' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(clipboard).toContain('badge({')
  expect(await clipboard()).toContain("from 'sidecard'")
})

test('a check shows its verdict, the failures open, and everything else as lists', async () => {
  const { page, open } = workspace
  await open('#/issues')
  await page.getByRole('tab', { name: 'Check' }).click()
  await page.getByRole('button', { name: 'Run check' }).click()
  const failed = page.getByRole('region', { name: 'Failed' })
  await failed.waitFor()
  const verdict = await page.getByRole('region', { name: 'Verdict' }).innerText()
  expect(verdict).toContain('The endpoint violates the contract.')
  expect(verdict).toMatch(/Checked as .+, acc_/)
  expect(verdict).toMatch(/\d+ failed, .*\d+ passed, \d+ skipped/)
  expect(verdict).toContain('Not proven: fewer than two customers were passed with texts.')
  expect(verdict).toContain('In sidecard.json, give two customers shows')
  // A developer who reads this has no command line to pass an option to.
  expect(verdict).not.toMatch(/(?:^|\s)--?[a-zH]/)
  expect(await failed.innerText()).toContain('field-type')
  const passed = page.getByRole('region', { name: 'Passed' })
  expect(await passed.locator('li').first().isVisible()).toBe(false)
  await passed.locator('summary').first().click()
  expect(await passed.locator('li').first().isVisible()).toBe(true)
})

test('the API view shows the access data and resets the data', async () => {
  const { page, open, emulator } = workspace
  await open('#/api')
  await page.getByRole('button', { name: 'Copy the access token' }).click()
  await expect.poll(clipboard).toBe(emulator.accessToken)
  await emulator.fetch(`${emulator.url}/tasks?title=x`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.accessToken}` },
  })
  expect(emulator.requests.list()).toHaveLength(1)
  await page.getByRole('button', { name: 'Reset the data' }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByText('Data reset').waitFor()
  expect(emulator.requests.list()).toEqual([])
})
