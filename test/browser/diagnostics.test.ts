import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { createPayload, endpoint } from './helpers/endpoints.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { FAILING_STACK, failingEndpoint } from './helpers/failing-endpoint.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let project = ''
let workspace: Workspace
let isBroken = false
let isDown = false

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'sidecard-diagnostics-'))
  await mkdir(join(project, 'src'))
  const lines = Array.from(
    { length: 30 },
    (_, index) => `const line${index + 1} = (await account.plan)`,
  )
  await writeFile(join(project, 'src/app.ts'), lines.join('\n'))
  isBroken = false
  isDown = false
  const billing = endpoint(() =>
    isBroken
      ? createPayload({ type: 'chart' })
      : createPayload({ type: 'text', label: 'Plan', value: 'Team' }),
  )
  const fetch = async (request: Request) => {
    if (isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    return billing.fetch(request)
  }
  workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    emulator: { projectDir: project, fetch },
    prepare: ({ apps }) => apps.create({ name: 'Billing', url: 'http://billing.example/' }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(async () => {
  await closeWorkspace(workspace)
  await rm(project, { recursive: true, force: true })
})

const pane = () => workspace.page.getByRole('region', { name: 'Diagnostics' })
const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())
const tab = (name: string) => pane().getByRole('tab', { name })

describe('the diagnostics', () => {
  test('are closed while nothing fails, and open by themselves for an error', async () => {
    expect(await pane().getByRole('tabpanel').count()).toBe(0)
    await workspace.emulator.apps.create({ name: 'Orders', target: failingEndpoint() })
    await expectVisible(
      pane()
        .locator('.diagnostics_message')
        .first()
        .getByText("TypeError: Cannot read properties of undefined (reading 'plan')"),
    )
    expect(await tab('Error').getAttribute('aria-selected')).toBe('true')
    const frame = pane().getByLabel('Lines around src/app.ts:18')
    await expect
      .poll(() => frame.innerText())
      .toMatch(/15.*line15[\s\S]*18.*line18[\s\S]*21.*line21/)
    // The column of the error.
    expect(await frame.locator('mark').allInnerTexts()).toEqual(['plan'])
    await expectVisible(pane().getByRole('button', { name: 'Open in editor' }))
    await pane().getByRole('button', { name: 'Copy the error' }).first().click()
    await expect.poll(clipboard).toBe(FAILING_STACK)
  })

  test('have no mark in a frame for an error without a column', async () => {
    workspace.emulator.devServer.set({
      state: 'failed',
      message: 'your command failed (exit code 1)',
      location: { file: 'src/app.ts', line: 2, column: 1 },
      excerpt: "src/app.ts:2\nSyntaxError [ERR_INVALID_TYPESCRIPT_SYNTAX]: Expected ',', got ')'",
    })
    const frame = pane().getByLabel('Lines around src/app.ts:2')
    await expect.poll(() => frame.innerText()).toMatch(/line1[\s\S]*line5/)
    expect(await frame.locator('mark').count()).toBe(0)
    // The code of Node is left out of the message, not of the output.
    await expectVisible(pane().getByRole('alert').getByText("SyntaxError: Expected ',', got ')'"))
    await pane().getByRole('button', { name: 'Copy the error' }).click()
    await expect.poll(clipboard).toMatch(/^src\/app\.ts:2\nSyntaxError \[ERR_INVALID/)
  })

  test('show the request, its timing and comparison, the console and a check of the same widget', async () => {
    const { page } = workspace
    isBroken = true
    await page.keyboard.press('r')
    await expectVisible(pane().getByText('components[0].type'))
    await expectVisible(pane().locator('.widget_last-good').getByText('Team'))
    expect((await pane().innerText()).match(/"chart"|“chart”/g)).toHaveLength(1)
    await tab('Request').click()
    await expect.poll(() => pane().innerText()).toContain('request_type')
    await expectVisible(pane().getByText('The endpoint sent no Server-Timing.'))
    await expectVisible(pane().locator('.inspector_diff-removed').getByText('Team'))
    await tab('Console').click()
    await expectVisible(pane().getByText('No output'))
    await tab('Check').click()
    await pane().getByRole('button', { name: 'Run check' }).click()
    await pane().getByRole('region', { name: 'Verdict' }).waitFor()
    expect(await pane().getByRole('region', { name: 'Verdict' }).innerText()).toContain('violates')
  })

  test('show the error of the command in place of those that follow from it', async () => {
    const { page, emulator } = workspace
    const strip = () =>
      page.evaluate(() => document.querySelector('.panel_strip b')?.textContent ?? null)
    isBroken = true
    await page.keyboard.press('r')
    await page.locator('.problem_line_problem').waitFor()
    emulator.devServer.set({
      state: 'failed',
      message: 'your command failed (exit code 3)',
      location: { file: 'src/app.ts', line: 2, column: 7 },
      excerpt: "SyntaxError: Expected ',', got ')'",
    })
    await expectVisible(pane().getByRole('alert').getByText("SyntaxError: Expected ',', got ')'"))
    await expectVisible(pane().getByText('exit code 3'))
    await expect.poll(() => page.locator('.problem_line_problem').count()).toBe(1)
    expect(await pane().innerText()).not.toContain('components[0].type')
    expect(await strip()).toBe('Unknown component')
    isDown = true
    await page.keyboard.press('r')
    await expect.poll(strip).toBe(null)
    isDown = false
    await page.keyboard.press('r')
    await expect.poll(strip).toBe('Unknown component')
    emulator.devServer.set({ state: 'starting', message: '', location: null, excerpt: '' })
    await expectVisible(page.getByText('Your dev command is starting…'))
    expect(await page.locator('.problem_line_problem').count()).toBe(0)
    emulator.devServer.set({ state: 'running', message: '', location: null, excerpt: '' })
    await expectVisible(pane().getByText('components[0].type'))
    expect(await page.locator('.problem_line_problem').innerText()).toMatch(/^type "chart"/)
  })

  test('show the line of an exception that the app printed during the request', async () => {
    const { page, emulator } = workspace
    isBroken = true
    await page.keyboard.press('r')
    await expectVisible(pane().getByText('components[0].type'))
    emulator.events.emit({
      type: 'exception',
      exchangeId: emulator.exchanges.list()[0]!.id,
      location: { file: 'src/app.ts', line: 18, column: 1 },
      excerpt: 'Traceback (most recent call last):\nKeyError: "plan"',
    })
    await expectVisible(pane().getByRole('alert').getByText('KeyError: "plan"'))
    await pane().getByLabel('Lines around src/app.ts:18').waitFor()
    expect(await page.locator('.problem_line_problem').innerText()).toMatch(/app\.ts:18$/)
    await expectVisible(pane().locator('.widget_last-good').getByText('Team'))
    await page.keyboard.press('r')
    await expectVisible(pane().getByText('components[0].type'))
  })

  test.each([1440, 1024, 390])('show all tabs in a window of %i pixels', async (width) => {
    const { page } = workspace
    isBroken = true
    await page.setViewportSize({ width, height: 800 })
    await page.keyboard.press('r')
    await pane().getByRole('tabpanel').waitFor()
    const jump = page.getByRole('link', { name: 'Jump to the sidebar: type "chart" is not' })
    expect(await jump.count()).toBe(width === 390 ? 1 : 0)
    const list = pane().getByRole('tablist')
    expect(await list.evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth)).toBe(0)
    const [last, inspect] = await Promise.all([
      tab('Check').boundingBox(),
      pane().getByRole('link', { name: 'Open in Requests' }).boundingBox(),
    ])
    const isBeside = inspect!.x >= last!.x + last!.width
    expect(isBeside || inspect!.y >= last!.y + last!.height).toBe(true)
  })

  test('are used with the keyboard: arrow keys move between tabs and resize the pane', async () => {
    const { page } = workspace
    await tab('Error').focus()
    await page.keyboard.press('ArrowRight')
    expect(await tab('Request').getAttribute('aria-selected')).toBe('true')
    const height = async () => (await pane().boundingBox())?.height ?? 0
    const before = await height()
    await pane().getByRole('separator').focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(height).toBeGreaterThan(before)
    await pane().getByRole('button', { name: 'Close diagnostics' }).click()
    expect(await pane().getByRole('tabpanel').count()).toBe(0)
  })
})
