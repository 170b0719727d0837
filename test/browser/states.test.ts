import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createActionApp, createExtendTrial } from '../helpers/actions.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { connectBrowser } from './helpers/browser.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

const project = {
  customers: { Acme: { ids: { account_id: 'acc_acme' } } },
  states: {
    Extended: { customer: 'Acme', actions: { 'Extend trial': 'done' } },
    Refunded: { customer: 'Acme', actions: { Refund: 'done' } },
  },
}

let workspace: Workspace

beforeEach(async () => {
  const app = createActionApp(createExtendTrial(), { publicUrl: 'http://sidecard.test' })
  const target = { fetch: (request: Request) => app.fetch(request, { SIDECARD_DEV: '1' }) }
  workspace = await openWorkspace({
    emulator: { project },
    prepare: ({ apps }) => apps.create({ name: 'Billing', target }),
  })
})
afterEach(async () => {
  // The frames are the pages that the test shows.
  const frames = `navigation: ${workspace.emulator.url}/-/action-pages/`
  const others = workspace.violations.filter((each) => !each.startsWith(frames))
  await closeWorkspace({ ...workspace, violations: others })
})

test('shows the page of an action in a state, with its styles and without a form that works', async () => {
  const { page, open } = workspace
  await open('#/states')
  const frame = page.frameLocator('iframe[title="Extend trial: done"]')
  const heading = frame.getByRole('heading', { name: 'Done' })
  await heading.waitFor()
  expect(await frame.locator('body').evaluate((body) => getComputedStyle(body).margin)).not.toBe(
    '8px',
  )
  const tile = page.locator('[data-page-state]', { hasText: 'Refund' })
  expect(await tile.innerText()).toContain(
    'Not applied: the sidebar has no action with this label. Its actions are "Extend trial"',
  )
  expect(await tile.locator('iframe').count()).toBe(0)
  expect(await page.locator('iframe').first().getAttribute('sandbox')).toBe('')
})

test('an exported file shows the same page with its styles', async () => {
  const { emulator } = workspace
  const { html } = await emulator.issues.exportStates(emulator.issues.list()[0]!.id, {
    anonymize: false,
  })
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-states-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'states.html')
  await writeFile(file, html)
  const browser = await connectBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(pathToFileURL(file).href)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Done' }).waitFor()
  expect(await frame.locator('body').evaluate((body) => getComputedStyle(body).margin)).not.toBe(
    '8px',
  )
  expect(errors).toEqual([])
})
