import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { failingEndpoint, TRACE_ID } from './helpers/failing-endpoint.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace
let folder: string
let plan = 'Team'

beforeEach(async () => {
  plan = 'Team'
  folder = await mkdtemp(join(tmpdir(), 'sidecard-project-'))
  workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true },
    emulator: { projectDir: folder },
    prepare: async ({ apps }) => {
      const target = endpoint(() =>
        createPayload(
          { type: 'text', label: 'Plan', value: plan },
          { type: 'text', label: 'Contact', value: 'noor@lumen.example' },
        ),
      )
      await apps.create({ name: 'Billing', target })
      await apps.create({ name: 'Orders', target: failingEndpoint() })
    },
  })
  await workspace.page.locator('html[data-ready=true]').waitFor()
  await workspace.open('#/inspector')
  await workspace.page.locator('.list_item').nth(3).waitFor()
})
afterEach(async () => {
  await closeWorkspace(workspace)
  await rm(folder, { recursive: true })
})

const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())
const items = () => workspace.page.locator('.list_item')

/** Opens the newest data fetch of an app. */
async function openRequest(app: string): Promise<void> {
  const { page } = workspace
  await items().filter({ hasText: 'iss_' }).filter({ hasText: app }).first().click()
  await page.getByRole('heading', { name: `fetch_data to ${app}` }).waitFor()
}

test('is searched by app, outcome and text, and shows the count and the limit', async () => {
  const { page } = workspace
  expect(await page.locator('.inspector_list-count').innerText()).toBe(
    '4 requests, the last 1,000 are kept',
  )
  await page.getByLabel('Filter requests').fill('orders')
  await expect.poll(() => items().count()).toBe(2)
  await page.getByLabel('Filter requests').fill('orders failed')
  await expect.poll(() => items().count()).toBe(1)
  expect(await page.locator('.inspector_list-count').innerText()).toContain('1 of 4 requests')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByLabel('Filter requests').fill(TRACE_ID)
  await expect.poll(() => items().count()).toBe(1)
  await page.getByLabel('Filter requests').fill('nothing like this')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => items().count()).toBe(4)
})

test('names the customer and the state, in the list and the search', async () => {
  const { page, emulator } = workspace
  const [issue] = emulator.issues.list()
  emulator.project.set({ states: { Nobody: { ids: { account_id: 'acc_nobody' } } } })
  await emulator.issues.open(issue!.id, { state: 'Nobody' })
  const opened = items().filter({ hasText: 'Nobody' })
  await expect.poll(() => opened.count()).toBe(2)
  await page.getByLabel('Filter requests').fill('nobody')
  await expect.poll(() => items().count()).toBe(2)
  await opened.first().click()
  await expectVisible(page.locator('.layout_detail-facts').getByText('Nobody'))
})

test('groups the requests of one save, and keeps the log after a reload', async () => {
  const { page, emulator } = workspace
  emulator.events.emit({ type: 'source_changed' })
  await expect.poll(() => items().count()).toBe(6)
  await expectVisible(page.locator('.inspector_exchange-group').first())
  await page.reload()
  // A reload loads the widgets again.
  await expect.poll(() => items().count()).toBeGreaterThanOrEqual(6)
})

test('a long group is closed, unless it contains the open request', async () => {
  const { page, emulator } = workspace
  const [app] = emulator.apps.list()
  const names = Array.from({ length: 10 }, (_, index) => `Widget ${index + 1}`)
  await emulator.apps.update(app!.id, { widgets: names })
  const group = { id: 'long', kind: 'save' } as const
  await emulator.issues.open('iss_1042', { group })
  const older = await emulator.issues.open('iss_1042', { group })
  const { widgets } = await emulator.issues.open('iss_1042', { group: { ...group, id: 'other' } })
  const ids = [widgets[0]?.exchangeId, older.widgets[0]?.exchangeId]
  const [shown, other] = ids.map((id) => `a[href*="${id}"]`)
  await page.locator(`.inspector_exchange-group ${shown}`).waitFor({ state: 'attached' })
  await workspace.open(`#/inspector/${widgets[0]?.exchangeId}`)
  await expectVisible(page.locator(`${shown}[aria-current=page]`))
  expect(await page.locator(other ?? '').isVisible()).toBe(false)
})

test('keeps requests that end while the list is loading', async () => {
  const { page, emulator } = workspace
  const snapshot = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  await page.route('**/exchanges', async (route) => {
    const response = await route.fetch()
    snapshot.resolve()
    await arrival.promise
    await route.fulfill({ response })
  })
  await page.reload()
  await page.locator('html[data-ready=true]').waitFor()
  await snapshot.promise
  await page.keyboard.press('r')
  await expect.poll(() => emulator.exchanges.list().length).toBe(8)
  await page.locator('html[data-ready=true]').waitFor()
  arrival.resolve()
  await expect.poll(() => items().count()).toBe(8)
})

test('clears the list', async () => {
  const { page, emulator } = workspace
  await openRequest('Billing')
  await page.getByRole('button', { name: 'Clear requests' }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  expect(page.url()).toMatch(/#\/inspector$/)
  expect(await items().count()).toBe(0)
  expect(emulator.exchanges.list()).toHaveLength(0)
})

test('shows the response before the request, and the sections over time with the timeout', async () => {
  const { page } = workspace
  await openRequest('Orders')
  const parts = await page
    .locator('.layout_detail-part')
    .evaluateAll((sections) => sections.map((section) => section.getAttribute('aria-label')))
  expect(parts.indexOf('Response')).toBeLessThan(parts.indexOf('Request'))
  const timing = page.getByRole('region', { name: 'Timing' })
  expect(await timing.locator('.inspector_waterfall-row > :first-child').allInnerTexts()).toEqual([
    'request',
    'fetchData',
    'Recent errors',
    'store',
  ])
  await expectVisible(timing.getByText('timeout 6 s'))
})

test('compares with the last successful render', async () => {
  const { page } = workspace
  plan = 'Business'
  await page.keyboard.press('r')
  await expect.poll(() => items().count()).toBe(6)
  await openRequest('Billing')
  await page.getByLabel('Compare with').selectOption({ index: 1 })
  const diff = page.getByLabel('Differences between the bodies')
  await diff.waitFor()
  expect(await diff.locator('.inspector_diff-removed').innerText()).toContain('Team')
  expect(await diff.locator('.inspector_diff-added').innerText()).toContain('Business')
  expect(await page.getByLabel('Compare with').innerText()).toContain('Last successful render')
})

test('shows both widgets side by side, with what differs marked, and opens so for a replay', async () => {
  const { page } = workspace
  plan = 'Business'
  await openRequest('Billing')
  await page.getByRole('button', { name: 'Replay' }).click()
  const widgets = page.locator('.inspector_widgets .widget_widget')
  await widgets.nth(1).waitFor()
  expect(await widgets.nth(0).locator('.widget_row-value').allInnerTexts()).toEqual([
    'Team',
    'noor@lumen.example',
  ])
  expect(await widgets.nth(1).locator('[data-differs]').allInnerTexts()).toEqual([
    expect.stringMatching(/^Plan\s+Business$/),
  ])
  expect(await widgets.nth(0).locator('[data-differs]').count()).toBe(0)
})

test('copies as cURL', async () => {
  const { page } = workspace
  await openRequest('Billing')
  await page.getByRole('button', { name: 'Copy as cURL' }).click()
  await expect.poll(clipboard).toMatch(/^curl /)
})

test('saves an anonymized fixture, and overwrites no file', async () => {
  const { page } = workspace
  const save = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Save as fixture' }).click()
    await page.getByLabel('Name', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await openRequest('Billing')
  await save()
  await page
    .locator('.toast_notice')
    .getByText(/^Saved /)
    .waitFor()
  const files = await allFiles()
  expect(files.length).toBe(1)
  const read = () => Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const texts = await read()
  expect(texts.join('\n')).not.toContain('noor@lumen.example')
  await save()
  await page.getByRole('dialog').getByRole('alert').getByText('already exists').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('acme')
  expect(await allFiles()).toEqual(files)
  expect(await read()).toEqual(texts)
})

test('the console follows the output unless it is scrolled up', async () => {
  const { page, open, emulator } = workspace
  const write = (text: string) => emulator.console.append({ stream: 'stdout', text })
  for (let line = 0; line < 200; line += 1) write(`line ${line}`)
  await open('#/issues')
  await page.getByRole('tab', { name: 'Console' }).click()
  const list = page.getByRole('list', { name: 'Console lines' })
  const toEnd = () =>
    list.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight)
  await list.getByText('line 199').waitFor()
  await expect.poll(toEnd).toBeLessThan(2)
  write('line 200')
  await list.getByText('line 200').waitFor()
  await expect.poll(toEnd).toBeLessThan(2)
  // The page learns of a new position with the event.
  await list.evaluate(async (node) => {
    const scrolled = new Promise((resolve) => {
      node.addEventListener('scroll', resolve, { once: true })
    })
    node.scrollTop = 0
    await scrolled
  })
  write('line 201')
  await list.getByText('line 201').waitFor({ state: 'attached' })
  expect(await list.evaluate((node) => node.scrollTop)).toBe(0)
})

test('the console shows the output of the server, and links a line to its request', async () => {
  const { page, open, emulator } = workspace
  const traced = `\u001B[31merror\u001B[0m fetchData failed traceId=${TRACE_ID}`
  emulator.console.append({ stream: 'stderr', text: traced })
  emulator.console.append({ stream: 'stdout', text: 'listening <b>now</b>' })
  await open('#/issues')
  await page.getByRole('tab', { name: 'Console' }).click()
  const line = page.locator('.console_line').filter({ hasText: 'fetchData failed' })
  await line.waitFor()
  expect(await line.locator('.console_text').innerText()).not.toContain('[31m')
  await expectVisible(page.getByText('listening <b>now</b>'))
  await page.getByLabel('Filter the console').fill('listening')
  await expect.poll(() => page.locator('.console_line').count()).toBe(1)
  await page.getByLabel('Filter the console').fill('')
  await line.getByRole('link').click()
  await page.getByRole('heading', { name: 'fetch_data to Orders' }).waitFor()
  await expectVisible(page.getByRole('region', { name: 'Console' }).getByText('fetchData failed'))
  await open('#/issues')
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('heading', { name: 'No output' }).waitFor()
})

async function allFiles(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
}
