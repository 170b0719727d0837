import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoint, payloadOf } from './helpers/answers.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

const EVERYTHING = payloadOf(
  { type: 'text', label: 'Plan', value: 'Team' },
  { type: 'date_time', label: 'Renews', value: '2027-03-01T09:00:00Z' },
  {
    type: 'badge',
    label: 'Status',
    items: ['blue', 'green', 'red', 'orange', 'gray'].map((color) => ({ value: color, color })),
  },
  { type: 'button', label: 'Open', button_type: 'link', url: 'https://example.com/' },
  { type: 'button', label: 'Nowhere', button_type: 'link', url: 'mailto:a@example.com' },
  { type: 'link', label: 'All', url: 'https://example.com/' },
  { type: 'divider' },
  {
    type: 'card',
    header: { title: 'Card' },
    components: [{ type: 'text', label: 'Note', value: 'Long\n'.repeat(20) }],
  },
)

let isBroken = false

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  let workspace: Workspace

  beforeAll(async () => {
    isBroken = false
    workspace = await openWorkspace({
      context: { colorScheme, reducedMotion: 'reduce' },
      prepare: async ({ apps }) => {
        const target = endpoint(() => (isBroken ? payloadOf({ type: 'chart' }) : EVERYTHING))
        await apps.create({ name: 'Good', target, headers: { 'x-secret': 'k' } })
        await apps.create({ name: 'Unverified', target: { fetch: () => new Response('no') } })
        const gone = await apps.create({ name: 'Disconnected', target })
        apps.disconnect(gone.id)
      },
    })
  })

  afterAll(() => workspace[Symbol.asyncDispose]())

  async function expectNoViolations(): Promise<void> {
    // Without frames there is nothing to gather from: legacy mode saves a page for each look.
    const axe = new AxeBuilder({ page: workspace.page }).setLegacyMode()
    // The dark page differs in its colours alone.
    if (colorScheme === 'dark') axe.withRules('color-contrast')
    const { violations } = await axe.analyze()
    const found = violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
    expect(found).toEqual([])
  }

  test('the sidebar and a conversation', async () => {
    await workspace.page.locator('.badge').first().waitFor()
    await expectNoViolations()
  })

  test('an error beside the last good render, with the overlay on', async () => {
    const { page } = workspace
    isBroken = true
    await page.keyboard.press('r')
    await page.locator('.last-good').waitFor()
    await page.keyboard.press('t')
    await page.locator('[data-is-cut]').first().waitFor()
    await expectNoViolations()
    await page.keyboard.press('t')
  })

  test('the menu of an app', async () => {
    const { page } = workspace
    await page.getByRole('button', { name: 'Menu of Good' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    await expectNoViolations()
    await page.keyboard.press('Escape')
  })

  test('the forms of a new app and of one that is there', async () => {
    const { page, open, emulator } = workspace
    await open('#/apps/new')
    await page.getByRole('button', { name: 'Add a header' }).click()
    await expectNoViolations()
    await page.keyboard.press('Escape')
    await open(`#/apps/${emulator.apps.list()[0]?.id}`)
    await page.getByText('Unchanged', { exact: true }).waitFor()
    await expectNoViolations()
    await page.keyboard.press('Escape')
  })

  test('the confirmation of a redaction, and the redacted message', async () => {
    const { page } = workspace
    await page
      .getByRole('button', { name: /^Redact the message/ })
      .first()
      .click()
    await expectNoViolations()
    await page.getByRole('button', { name: 'Redact', exact: true }).click()
    await page.getByText('This message was redacted.').waitFor()
    await expectNoViolations()
  })

  test('the inspector, its list and a request', async () => {
    const { page, open } = workspace
    await open('#/inspector')
    await page.locator('.code-block').waitFor()
    await expectNoViolations()
  })

  test('the playground, valid and not', async () => {
    const { page, open } = workspace
    await open('#/playground')
    await page.getByText('Valid').waitFor()
    await expectNoViolations()
    await page.getByLabel('Start from an example').selectOption({ label: 'Common mistakes' })
    await page.getByText('problems to fix').waitFor()
    await expectNoViolations()
  })

  test('a report of the checks', async () => {
    const { page, open, emulator } = workspace
    await open(`#/checks/${emulator.apps.list()[1]?.id}`)
    await expectNoViolations()
    await page.getByRole('button', { name: 'Run the check' }).click()
    await page.locator('.rule-fail').first().waitFor()
    await expectNoViolations()
  })

  test('the faults, the API and the list of shortcuts', async () => {
    const { page, open } = workspace
    await open('#/faults')
    await page.getByRole('button', { name: /^Slow/ }).click()
    await page.locator('.fault-rules').waitFor()
    await expectNoViolations()
    await open('#/api')
    await expectNoViolations()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await expectNoViolations()
    await page.keyboard.press('Escape')
  })

  test('an emulator without an app or an issue', async () => {
    await using empty = await openWorkspace({
      context: { colorScheme, reducedMotion: 'reduce' },
      emulator: { seed: 'empty' },
    })
    await empty.page.getByText('No app yet').waitFor()
    const { violations } = await new AxeBuilder({ page: empty.page }).setLegacyMode().analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})
