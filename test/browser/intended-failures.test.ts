import { afterEach, beforeEach, expect, test } from 'vitest'
import { noAuth, section, sidecard, text } from 'sidecard'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { openWorkspace, type Workspace } from './helpers/workspace.ts'

const project = {
  customers: { Acme: { ids: { account_id: 'acc_acme' } } },
  states: {
    'Orders failed': { customer: 'Acme', sections: { Orders: 'failed' } },
    'Orders slow': { customer: 'Acme', sections: { Orders: 'timeout' } },
  },
}

let workspace: Workspace
let isBroken = false

beforeEach(async () => {
  isBroken = false
  const load = () => [text({ label: 'Order', value: 'A 1' })]
  const app = sidecard({
    header: { title: 'Billing', icon_url: 'https://icons.test/i.png' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [
      section('Orders', load),
      section('Plan', () => (isBroken ? Promise.reject(new Error('no plan')) : load())),
    ],
  })
  const target = { fetch: (request: Request) => app.fetch(request, { SIDECARD_DEV: '1' }) }
  workspace = await openWorkspace({
    emulator: { project },
    prepare: ({ apps }) => apps.create({ name: 'Billing', target }),
  })
})
afterEach(() => closeWorkspace(workspace))

/** Everything with the color of a failure. */
const red = () => workspace.page.locator('[class*="bad" i], [class~="red"]')

test('the view States counts a failure that a state asks for as intended, and shows only others in red', async () => {
  const { page, open, emulator } = workspace
  await open('#/states')
  await page.getByText('3 states, 2 as intended').waitFor()
  const state = page.locator('.states_state').filter({ hasText: 'Orders slow' })
  await expectVisible(state.getByText('You asked for Orders to time out.'))
  expect(await red().count()).toBe(0)
  isBroken = true
  emulator.events.emit({ type: 'source_changed' })
  await page.getByText('3 states, 3 failed').waitFor()
  expect(await state.innerText()).toMatch(/1 failure[^]*no plan/)
})

test('the sidebar shows a failure that a state asks for without red, and names only the other one', async () => {
  const { page, emulator } = workspace
  const strip = page.locator('.panel_strip')
  await page.getByLabel('Request as').selectOption({ label: 'Orders failed' })
  await strip.getByText('As intended').waitFor()
  expect(await red().count()).toBe(0)
  isBroken = true
  emulator.events.emit({ type: 'source_changed' })
  await strip.getByText('Failed').waitFor()
  const pane = page.getByRole('region', { name: 'Diagnostics' })
  await expectVisible(pane.getByText('Plan: Error: no plan').first())
  expect(await pane.innerText()).not.toContain('Error: You asked')
})
