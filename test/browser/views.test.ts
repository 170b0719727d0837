import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoint, payloadOf } from './helpers/answers.ts'
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
          return payloadOf(
            { type: 'text', label: 'Issue', value: parameters.get('issue_id') },
            ...(calls > 1 ? [{ type: 'text', label: 'Seats', value: 24 }] : []),
          )
        }),
      }),
  })
  await workspace.page.locator('.row-value').first().waitFor()
})
afterEach(() => workspace[Symbol.asyncDispose]())

const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())

test('the inspector shows what was sent and what came back, and never the value of a header', async () => {
  const { page, open, emulator } = workspace
  await open('#/inspector')
  await page.locator('.code-block').waitFor()
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

test('a replay sends the request again and shows the new answer with its findings', async () => {
  const { page, open } = workspace
  await open('#/inspector')
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('a replay of').waitFor()
  const findings = page.getByRole('region', { name: 'Findings' })
  expect(await findings.innerText()).toContain('components[1].value')
  expect(await findings.locator('.rule-id').first().innerText()).toBe('field-type')
  expect(calls).toBe(2)
})

test('the widget’s real answer opens in the playground, where it can be changed', async () => {
  const { page } = workspace
  await page.getByRole('button', { name: 'Menu of Billing' }).click()
  await page.getByRole('menuitem', { name: 'Open in playground' }).click()
  const field = page.getByLabel('Payload as JSON')
  await expect.poll(() => field.inputValue()).toContain('"label": "Issue"')
  await field.fill((await field.inputValue()).replace('"Issue"', '"Ticket"'))
  await page.locator('.row-label').getByText('Ticket').waitFor()
})

test('the playground names the line, the rule and the fix, and a choice goes to the line', async () => {
  const { page, open } = workspace
  await open('#/playground')
  await page
    .getByLabel('Payload as JSON')
    .fill(
      '{\n  "version": "1.0.0",\n  "header": {},\n  "components": [\n    { "type": "progress" }\n  ]\n}',
    )
  const problem = page.locator('.problem').first()
  expect(await problem.locator('.problem-line').innerText()).toBe('5')
  const rule = page.getByRole('button', { name: 'About the rule component-type' })
  await rule.click()
  await page.locator('.rule-card:popover-open').getByText('The contract:').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('.agent-error').innerText()).toBe('This app could not be displayed.')
  await problem.click()
  const selected = await page
    .getByLabel('Payload as JSON')
    .evaluate((field: HTMLTextAreaElement) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    )
  expect(selected.trim()).toBe('{ "type": "progress" }')
})

test('the playground says where text stops being JSON', async () => {
  const { page, open } = workspace
  await open('#/playground')
  await page.getByLabel('Payload as JSON').fill('{\n  "version": "1.0.0"\n  "header": {}\n}')
  expect(await page.locator('.problem').innerText()).toContain('line 3 is not JSON')
})

test('the playground gives the builder code of what it shows', async () => {
  const { page, open } = workspace
  await open('#/playground')
  await page.getByLabel('Start from an example').selectOption({ label: 'A customer' })
  await page.getByRole('button', { name: 'Builder code' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(clipboard).toContain('badge({')
  expect(await clipboard()).toContain("from 'sidecard'")
})

test('the checks page shows the rules in groups, and what needs work alone', async () => {
  const { page, open } = workspace
  await open('#/checks')
  await page.getByRole('button', { name: 'Run the check' }).click()
  await page.locator('.rule-fail').first().waitFor()
  const all = await page.locator('.rule').count()
  await page.getByRole('button', { name: 'Only what needs work' }).click()
  await expect.poll(() => page.locator('.rule').count()).toBeLessThan(all)
  expect(await page.locator('.rule-pass').count()).toBe(0)
  expect(await page.locator('.rule-fail').first().innerText()).toContain('field-type')
})

test('a preset of faults is put on and off; the sidebar fails meanwhile', async () => {
  const { page, open, emulator } = workspace
  await open('#/faults')
  await page.getByRole('button', { name: /^Outage/ }).click()
  await expect.poll(() => emulator.faults.rules.length).toBeGreaterThan(0)
  await open('#/issues')
  await page.keyboard.press('r')
  await page.locator('.agent-error').waitFor()
  await open('#/faults')
  await page.getByRole('button', { name: /^Outage/ }).click()
  await expect.poll(() => emulator.faults.rules.length).toBe(0)
})

test('a rule of one’s own is added with its seed', async () => {
  const { page, open, emulator } = workspace
  await open('#/faults')
  await page.getByLabel('Seed').fill('42')
  await page.getByLabel('Seed').press('Tab')
  await expect.poll(() => emulator.faults.seed).toBe(42)
  await page.getByLabel('Operation').fill('fetch_data')
  await page.getByLabel('Effect').selectOption({ label: 'answers 500' })
  await page.getByLabel('Percent of the requests').fill('50')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await expect
    .poll(() => emulator.faults.rules)
    .toEqual([
      {
        side: 'apps',
        operation: 'fetch_data',
        probability: 0.5,
        effect: { type: 'status', status: 500 },
      },
    ])
})

test('the API page gives what a client needs, and resets the data', async () => {
  const { page, open, emulator } = workspace
  await open('#/api')
  await page.getByRole('button', { name: 'Copy the access token' }).click()
  await expect.poll(clipboard).toBe(emulator.accessToken)
  await page.getByRole('button', { name: /^Reset to empty/ }).click()
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect.poll(() => emulator.issues.list().length).toBe(0)
  await open('#/issues')
  await page.getByText('No issue to open').waitFor()
})
