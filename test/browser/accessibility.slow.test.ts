import { AxeBuilder } from '@axe-core/playwright'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createActionApp, createExtendTrial } from '../helpers/actions.ts'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { failingEndpoint, TRACE_ID } from './helpers/failing-endpoint.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

const EVERYTHING = createPayload(
  { type: 'text', label: 'Plan', value: 'Team' },
  { type: 'date_time', label: 'Renews', value: '2027-03-01T09:00:00Z' },
  {
    type: 'badge',
    label: 'Status',
    items: ['blue', 'green', 'red', 'orange', 'gray'].map((color) => ({ value: color, color })),
  },
  { type: 'button', label: 'Open', button_type: 'link', url: 'https://example.com/' },
  { type: 'button', label: 'Nowhere', button_type: 'link', url: 'ftp://a.example.com/' },
  { type: 'link', label: 'All', url: 'https://example.com/' },
  { type: 'divider' },
  {
    type: 'card',
    header: { title: 'Card' },
    components: [{ type: 'text', label: 'Note', value: 'Long\n'.repeat(20) }],
  },
)

let isBroken = false

let workspace: Workspace

beforeEach(async () => {
  isBroken = false
  workspace = await openWorkspace({
    context: { reducedMotion: 'reduce' },
    prepare: async ({ apps }) => {
      const target = endpoint(() => (isBroken ? createPayload({ type: 'chart' }) : EVERYTHING))
      await apps.create({ name: 'Good', target, headers: { 'x-secret': 'k' } })
      await apps.create({ name: 'Unverified', target: { fetch: () => new Response('no') } })
      const gone = await apps.create({ name: 'Disconnected', target })
      apps.disconnect(gone.id)
    },
  })
  await workspace.page.locator('html[data-ready=true]').waitFor()
})

afterEach(() => workspace[Symbol.asyncDispose]())

/** Analyzes a page in both color schemes. The dark page differs only in its colors. */
async function expectNoViolations(
  page = workspace.page,
  // A page without frames needs only the legacy mode, which avoids an extra page for each analysis.
  createAxe = () => new AxeBuilder({ page }).setLegacyMode(),
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // oxlint-disable no-await-in-loop -- one page, in one color scheme after the other
    await page.emulateMedia({ colorScheme })
    const axe = createAxe()
    if (colorScheme === 'dark') axe.withRules('color-contrast')
    const { violations } = await axe.analyze()
    // oxlint-enable no-await-in-loop
    const found = violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
    expect([colorScheme, found]).toEqual([colorScheme, []])
  }
}

test('axe finds no problem in the sidebar and a conversation', async () => {
  await workspace.page.locator('.widget_badge').first().waitFor()
  await expectNoViolations()
})

test('axe finds no problem in an error with the last successful render, and the truncation overlay', async () => {
  const { page } = workspace
  await page.locator('.widget_badge').first().waitFor()
  await page.getByRole('button', { name: 'More sidebar tools' }).click()
  await page.getByRole('menuitem', { name: 'Show truncation' }).click()
  await page.locator('[data-is-cut]').first().waitFor()
  await expectNoViolations()
  isBroken = true
  await page.keyboard.press('r')
  await page.locator('.widget_last-good').waitFor()
  await expectNoViolations()
})

test('axe finds no problem in the menu of an app', async () => {
  const { page } = workspace
  await page.getByRole('button', { name: 'Good menu' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await expectNoViolations()
})

test('axe finds no problem in the forms of a new and of an existing app', async () => {
  const { page, open, emulator } = workspace
  await open('#/apps/new')
  await page.getByRole('button', { name: 'Add header' }).click()
  await expectNoViolations()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await open(`#/apps/${emulator.apps.list()[0]?.id}`)
  await page.getByText('Unchanged', { exact: true }).waitFor()
  await expectNoViolations()
})

test('axe finds no problem in a failure with its error, custom IDs, and every state', async () => {
  const { page, open, emulator } = workspace
  await emulator.apps.create({ name: 'Failing', target: failingEndpoint() })
  await page.getByRole('button', { name: /TypeError.*app\.ts/ }).click()
  await page.locator('.diagnostics_failure').first().waitFor()
  await open('#/issues?account_id=acme')
  await page.locator('.sidebar_request-banner').waitFor()
  await expectNoViolations()
  await page.getByRole('button', { name: 'More sidebar tools' }).click()
  await page.getByRole('menuitem', { name: 'Custom request' }).click()
  await page.getByRole('dialog').waitFor()
  await expectNoViolations()
  await page.keyboard.press('Escape')
  await open('#/states')
  await page.getByText('No customers and states').waitFor()
  await expectNoViolations()
  emulator.project.set({
    customers: { Acme: { ids: { account_id: 'acme' } } },
    states: { Nobody: { ids: { account_id: 'nobody' } } },
  })
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.locator('.states_state').nth(1).waitFor()
  await expectNoViolations()
  await open('#/sidebar')
  await page.locator('.sidebar_only .widget_widget').first().waitFor()
  await expectNoViolations()
  await open('#/issues/iss_unknown')
  await page.getByText('Issue not found').waitFor()
  await expectNoViolations()
})

test('axe finds no problem in a state with the page of an action, or in this page', async () => {
  const { page, open, emulator } = workspace
  const app = createActionApp(createExtendTrial(), { publicUrl: 'http://sidecard.test' })
  const target = { fetch: (request: Request) => app.fetch(request, { SIDECARD_DEV: '1' }) }
  await emulator.apps.create({ name: 'Actions', target })
  emulator.project.set({
    customers: { Acme: { ids: { account_id: 'acme' } } },
    states: { Extended: { customer: 'Acme', actions: { 'Extend trial': 'done' } } },
  })
  await open('#/states')
  const frame = page.locator('iframe[title="Extend trial: done"]')
  await frame.contentFrame().getByRole('heading', { name: 'Done' }).waitFor()
  // Scripts do not run in the frame, so axe would wait for its result there.
  await expectNoViolations(page, () => new AxeBuilder({ page }).exclude('iframe'))
  const path = (await frame.getAttribute('src')) ?? ''
  const { status, html, policy } = await page.evaluate(async (url) => {
    const response = await fetch(url)
    const { status: code, headers } = response
    const rules = headers.get('content-security-policy') ?? ''
    return { status: code, html: await response.text(), policy: rules }
  }, path)
  expect([status, policy]).toEqual([200, expect.stringContaining('style-src')])
  const own = await page.context().newPage()
  await own.setContent(html)
  await own.getByRole('heading', { name: 'Done' }).waitFor()
  const margin = await own.locator('body').evaluate((body) => getComputedStyle(body).margin)
  expect(margin).not.toBe('8px')
  await expectNoViolations(own)
})

test('axe finds no problem in the inspector with a waterfall and a diff, and the console', async () => {
  const { page, open, emulator } = workspace
  emulator.console.append({ stream: 'stderr', text: `failed traceId=${TRACE_ID}` })
  await emulator.apps.create({ name: 'Failing', target: failingEndpoint() })
  await page.getByRole('button', { name: /TypeError.*app\.ts/ }).waitFor()
  // The data fetch of this app is compared with the previous one.
  const failed = () => emulator.exchanges.list().filter(({ appName }) => appName === 'Failing')
  const before = failed().length
  await page.keyboard.press('r')
  await expect.poll(() => failed().length).toBe(before + 1)
  await open('#/inspector')
  await page.locator('.list_item').filter({ hasText: 'Failing' }).first().click()
  await page.getByRole('region', { name: 'Timing' }).waitFor()
  await page.getByLabel('Compare with').selectOption({ index: 1 })
  await expectNoViolations()
  await page.locator('.list_item').filter({ hasText: 'Good' }).first().click()
  await page.locator('.code_block_code-block').first().waitFor()
  await expectNoViolations()
  await open('#/issues')
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.locator('.console_line').first().waitFor()
  await expectNoViolations()
})

test('axe finds no problem in the command palette, a form with a confirmation, and a notice', async () => {
  const { page, open } = workspace
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a command').waitFor()
  await expectNoViolations()
  await page.keyboard.press('Escape')
  await open('#/apps/new')
  await page.getByLabel('Name', { exact: true }).fill('x')
  await page.keyboard.press('Escape')
  await page.getByText('Discard your changes?').waitFor()
  await expectNoViolations()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await page
    .locator('.panel_bar')
    .getByRole('button', { name: / menu$/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Retry Connection' }).click()
  await page.locator('.toast_notice').waitFor()
  await expectNoViolations()
})

test('axe finds no problem in the playground with a valid and an invalid payload', async () => {
  const { page, open } = workspace
  await open('#/playground')
  await page.locator('#playground-verdict').getByText('Valid').waitFor()
  await expectNoViolations()
  await page.getByLabel('Start from an example').selectOption({ label: 'Common mistakes' })
  await page.getByText('problems to fix').waitFor()
  await expectNoViolations()
})

test('axe finds no problem in a check report', async () => {
  const { page, emulator } = workspace
  await page.getByRole('button', { name: `${emulator.apps.list()[1]?.name} menu` }).click()
  await page.getByRole('menuitem', { name: 'Check' }).click()
  await page.getByRole('region', { name: 'Failed' }).waitFor()
  await expectNoViolations()
})

test('axe finds no problem in the API and the list of shortcuts', async () => {
  const { page, open } = workspace
  await open('#/api')
  await expectNoViolations()
  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
  await expectNoViolations()
})

test('axe finds no problem in an emulator without an app or an issue', async () => {
  await using empty = await openWorkspace({
    context: { reducedMotion: 'reduce' },
    emulator: { dataset: { customers: [{ name: 'Ada' }], issues: [] } },
  })
  await empty.page.getByText('No apps connected').waitFor()
  await expectNoViolations(empty.page)
})
