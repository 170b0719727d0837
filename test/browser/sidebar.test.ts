import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoint, createPayload } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { failingEndpoint, TRACE_ID } from './helpers/failing-endpoint.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'
import { editIds } from './helpers/edit-ids.ts'

let workspace: Workspace
let respond: (parameters: URLSearchParams) => unknown

const echo = (parameters: URLSearchParams) =>
  createPayload({ type: 'text', label: 'Account', value: parameters.get('account_id') ?? 'none' })

beforeEach(async () => {
  respond = echo
  workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    emulator: {
      presets: [{ name: 'Acme, past due', source: 'command', params: { account_id: 'acme' } }],
    },
    prepare: ({ apps }) =>
      apps.create({ name: 'Billing', target: endpoint((parameters) => respond(parameters)) }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(() => closeWorkspace(workspace))

const value = () => workspace.page.locator('.widget_widget .widget_row-value').first()
const fragment = () => new URL(workspace.page.url()).hash
const clipboard = () => workspace.page.evaluate(() => navigator.clipboard.readText())
const sent = () => {
  const { exchanges } = workspace.emulator
  const newest = exchanges.list().find(({ kind }) => kind === 'fetch_data')
  return new Map(exchanges.get(newest?.id ?? '').request.parameters)
}

describe('Request as', () => {
  test('custom IDs are sent, shown next to the issue, and kept after a reload', async () => {
    const { page } = workspace
    await editIds(page)
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('.sidebar_id-fields input').count()).toBe(7)
    await dialog.getByLabel('Account ID').fill('my-account')
    await dialog.getByRole('button', { name: 'Omit requester_email' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await value().getByText('my-account').waitFor()
    expect(sent().get('account_id')).toBe('my-account')
    expect(sent().has('requester_email')).toBe(false)
    await page.locator('.conversation_sent-ids').getByText('my-account').waitFor()
    await page.locator('.sidebar_request-banner').getByText('Custom IDs.').waitFor()
    await page.reload()
    await value().getByText('my-account').waitFor()
    await page.getByRole('button', { name: 'Back to normal' }).click()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
    await expect.poll(() => sent().get('account_id')).not.toBe('my-account')
  })

  test('the state is in the fragment of every view, so that a link shows it in another browser', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'Unknown customer' })
    await page.locator('.sidebar_request-banner').getByText('Unknown customer.').waitFor()
    expect(fragment()).toContain('scenario=unknown-customer')
    await page.getByRole('link', { name: 'Inspector', exact: true }).click()
    await page.locator('.list_item').first().waitFor()
    expect(fragment()).toContain('scenario=unknown-customer')
    await page.getByRole('link', { name: 'Issues', exact: true }).click()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expectVisible(other.locator('.sidebar_request-banner').getByText('Unknown customer.'))
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
  })

  test('a link does not contain the IDs unless requested', async () => {
    const { page, open } = workspace
    await open('#/issues?account_id=secret-account&omit=requester_email')
    await value().getByText('secret-account').waitFor()
    await page.getByRole('button', { name: 'More sidebar tools' }).click()
    await page.getByRole('menuitem', { name: 'Copy link', exact: true }).click()
    await expect.poll(clipboard).toContain('#/issues/')
    expect(await clipboard()).not.toContain('secret-account')
    await page.getByRole('button', { name: 'More sidebar tools' }).click()
    await page.getByRole('menuitem', { name: 'Copy link with IDs' }).click()
    await expect.poll(clipboard).toContain('account_id=secret-account')
    await page.goto(`${page.url().split('#')[0]}#/inspector?account_id=secret-account`)
    await page.locator('.layout_detail').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a command').fill('copy link')
    await page.keyboard.press('Enter')
    await expect.poll(clipboard).toMatch(/#\/inspector\/exc_\w+$/)
  })

  test('a preset over the limit is reported and replaces no other one', async () => {
    const { page } = workspace
    await page.evaluate(() => {
      const presets = Array.from({ length: 100 }, (_, index) => ({
        name: `Preset ${index}`,
        params: { account_id: String(index) },
      }))
      localStorage.setItem('sidecard.presets', JSON.stringify(presets))
    })
    await page.reload()
    await editIds(page)
    await page.getByLabel('Account ID').fill('zzz')
    await page.getByLabel('Preset name').fill('Zzz')
    await page.getByRole('button', { name: 'Save preset' }).click()
    await page.locator('.toast_notice').getByText('keeps 100 presets').waitFor()
    expect(await page.locator('.sidebar_preset').count()).toBe(100)
  })

  test('the list contains the presets of the command and of the browser', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'Acme, past due' })
    await value().getByText('acme').waitFor()
    expect(fragment()).toMatch(/preset=\w+/)
    await editIds(page)
    await page.getByLabel('Account ID').fill('globex')
    await page.getByLabel('Preset name').fill('Globex')
    await page.getByRole('button', { name: 'Save preset' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await value().getByText('globex').waitFor()
    await page.getByRole('button', { name: 'Back to normal' }).click()
    await page.reload()
    await page.getByLabel('Request as').selectOption({ label: 'Globex' })
    await value().getByText('globex').waitFor()
  })

  test('two tabs do not lose each other’s presets', async () => {
    const { page } = workspace
    const other = await page.context().newPage()
    await other.goto(page.url())
    const save = async (tab: typeof page, name: string) => {
      await editIds(tab)
      await tab.getByLabel('Account ID').fill(name)
      await tab.getByLabel('Preset name').fill(name)
      await tab.getByRole('button', { name: 'Save preset' }).click()
      await tab.getByRole('button', { name: 'Apply' }).click()
    }
    await save(page, 'One')
    await other.getByLabel('Request as').getByText('One').waitFor({ state: 'attached' })
    await save(other, 'Two')
    await page.getByLabel('Request as').getByText('Two').waitFor({ state: 'attached' })
    await other.reload()
    const own = other.locator('optgroup[label="Presets in this browser"] option')
    await expect.poll(() => own.allTextContents()).toEqual(['One', 'Two'])
  })

  test('custom IDs keep the scenario, and the banner names both', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'No account' })
    await editIds(page)
    await page.getByLabel('Requester ID').fill('usr_mine')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.locator('.sidebar_request-banner').getByText('Scenario: No account.').waitFor()
    await expect.poll(() => sent().get('requester_id')).toBe('usr_mine')
    expect(sent().get('account_id')).toBe('')
  })

  test('a link with a preset that this emulator does not have says so', async () => {
    const { page, open } = workspace
    await open('#/issues?preset=preset_99')
    await page.locator('.sidebar_request-banner').getByText('Unknown preset.').waitFor()
    await page.getByRole('button', { name: 'Ignore' }).click()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
    expect(fragment()).not.toContain('preset')
  })

  test('the search finds IDs', async () => {
    const { page, emulator } = workspace
    const issue = emulator.issues.list().find(({ account }) => account !== null)
    await page.getByLabel('Search issues').fill(issue?.account?.id ?? '')
    await expect.poll(() => page.locator('.list_item').count()).toBeGreaterThan(0)
    expect(await page.locator('.issue_list_issue-title').allInnerTexts()).toContain(issue?.title)
  })

  test('hostile values in the fragment are shown as text and sent as they are', async () => {
    const { open } = workspace
    const hostile = `"><img src=x onerror=alert(1)>&account_id`
    await open(
      `#/issues?account_id=${encodeURIComponent(hostile)}&scenario=__proto__&preset=unknown`,
    )
    await value().getByText(hostile).waitFor()
    expect(sent().get('account_id')).toBe(hostile)
    await open(`#/issues?account_id=${'x'.repeat(2_000)}`)
    const id = workspace.page.locator('.conversation_sent-ids dd').filter({ hasText: 'xxx' })
    await id.waitFor()
    const right = await id.evaluate((node) => node.getBoundingClientRect().right)
    const main = await workspace.page.locator('#main').boundingBox()
    expect(right).toBeLessThan((main?.x ?? 0) + (main?.width ?? 0))
  })
})

describe('all states', () => {
  test('every scenario and preset is shown with its result and failures', async () => {
    const { page, open, emulator } = workspace
    respond = (parameters) =>
      parameters.has('issue_id') ? echo(parameters) : new Response('no', { status: 500 })
    await open('#/states')
    await page.locator('.states_state').nth(8).waitFor()
    const names = await page.locator('.states_state-name').allInnerTexts()
    const state = emulator.exchanges.list()
    expect(names).toContain('Acme, past due')
    expect(names).toContain('No IDs')
    expect(state.length).toBeGreaterThan(8)
    const noIds = page.locator('.states_state').filter({ hasText: 'No IDs' })
    expect(await noIds.locator('.panel_panel').getAttribute('data-outcome')).toBe('status')
    await page.getByText(`${names.length} states, 1 failed`).waitFor()
    await noIds.getByRole('link', { name: 'Request details' }).click()
    await page.getByRole('heading', { name: 'fetch_data to Billing' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'No account' }).click()
    await page.locator('.sidebar_request-banner').getByText('No account.').waitFor()
  })

  test('the states are those of the issue that was opened last, with the name of each app', async () => {
    const { page, open, emulator } = workspace
    await emulator.apps.create({ name: 'Orders', target: endpoint(echo) })
    const [first, second] = emulator.issues.list()
    const held = Promise.withResolvers<void>()
    respond = async (parameters) => {
      if (parameters.get('issue_id') === first?.id) await held.promise
      return echo(parameters)
    }
    await open(`#/states/${first?.id}`)
    await expect
      .poll(() => page.locator('.states_head output').innerText())
      .toContain('Loading every')
    await page.keyboard.press('j')
    await page.locator('.states_state').nth(8).waitFor()
    const shown = page.locator('.states_state').first()
    const text = await shown.innerText()
    expect(text).toContain('Orders')
    expect(await shown.locator('.widget_row-value').first().innerText()).toBe(second?.account?.id)
    held.resolve()
    await expect.poll(() => emulator.exchanges.list().length).toBeGreaterThan(40)
    expect(await shown.innerText()).toBe(text)
  })

  test('an app that is not connected fails in every state, also in a preset of the browser', async () => {
    const { page, open, emulator } = workspace
    await editIds(page)
    await page.getByLabel('Account ID').fill('globex')
    await page.getByRole('button', { name: 'Apply' }).click()
    await value().getByText('globex').waitFor()
    emulator.apps.disconnect(emulator.apps.list()[0]?.id ?? '')
    await open('#/states?account_id=globex')
    await page.getByText('10 states, 10 failed').waitFor()
    expect(await page.locator('.states_state-name').last().innerText()).toBe('Custom IDs')
  })
})

describe('a failure that the endpoint reports', () => {
  beforeEach(async () => {
    await workspace.emulator.apps.create({ name: 'Orders', target: failingEndpoint() })
    await workspace.page.locator('.panel_bad').waitFor()
  })

  test('is red, and shows the developer its kind, section, message, stack, path, rule and fix', async () => {
    const { page } = workspace
    const panel = page.locator('.panel_bad')
    expect(await panel.getAttribute('data-outcome')).toBe('failed')
    expect(await panel.locator('.panel_strip').innerText()).toMatch(/Failed/)
    expect(await panel.locator('.panel_strip').getAttribute('title')).toContain(TRACE_ID)
    expect(await panel.locator('.panel_strip').innerText()).toContain('2 failures')
    const pane = page.getByRole('region', { name: 'Diagnostics' })
    expect(await pane.getByText('Write "42".').count()).toBe(1)
    await expectVisible(panel.getByRole('button', { name: /TypeError.*app\.ts:18/ }))
    expect(await panel.innerText()).not.toContain('Rendered')
    const widget = await panel.locator('.widget_widget').innerText()
    expect(widget).toContain('Not available at the moment.')
    expect(widget).not.toContain('plan')
    const note = await pane.innerText()
    for (const text of [
      'callback_failed',
      'TypeError',
      "reading 'plan'",
      'src/app.ts:18:31',
      'section_failed',
      'Recent errors',
      'components[0].value',
      'Write "42".',
      'data-failure',
    ]) {
      expect(note).toContain(text)
    }
    await pane.getByText('Stack').click()
    expect(await pane.getByLabel('Stack').innerText()).toContain('at fetchData')
    await panel.locator('.panel_strip').click()
    await page.getByRole('heading', { name: 'fetch_data to Orders' }).waitFor()
  })

  test('is announced to screen readers', async () => {
    const announcer = workspace.page.locator('[data-announcer=widgets]')
    await expect.poll(() => announcer.innerText()).toMatch(/Billing: Rendered\. Orders: Failed/)
  })

  test('does not become the last successful render', async () => {
    const { page } = workspace
    await page.getByRole('button', { name: 'Orders menu' }).click()
    await page.getByRole('menuitem', { name: 'Reload' }).click()
    await expect.poll(() => page.locator('.panel_bad .panel_strip').innerText()).toContain('Failed')
    expect(await page.locator('.widget_last-good').count()).toBe(0)
  })
})

test('a designed card is neither a success nor a failure', async () => {
  const { page } = workspace
  respond = () =>
    Response.json(createPayload({ type: 'text', label: 'Customer', value: 'not found' }), {
      headers: { 'x-sidecard-outcome': 'not_found' },
    })
  await page.keyboard.press('r')
  await page
    .locator('[data-outcome=not_found] .panel_strip')
    .getByText('Customer not found')
    .waitFor()
  expect(await page.locator('.problem_line_problem').count()).toBe(0)
})

test('while a widget loads, the time and the timeout are shown', async () => {
  const { page } = workspace
  // The page shows the time before the request arrives.
  const finish = Promise.withResolvers<void>()
  respond = async (parameters) => {
    await finish.promise
    return echo(parameters)
  }
  await page.keyboard.press('r')
  await page.getByText(/^\d+\.\d s of 6 s$/).waitFor()
  expect(await page.locator('html').getAttribute('data-ready')).toBe('false')
  finish.resolve()
  await page.locator('.panel_strip').getByText('Rendered').waitFor()
  expect(await page.locator('html').getAttribute('data-ready')).toBe('true')
})

test('the sidebar-only view shows what an agent sees, and marks when it is ready', async () => {
  const { page, open } = workspace
  await workspace.emulator.apps.create({ name: 'Orders', target: failingEndpoint() })
  await open('#/sidebar')
  // The page learns of the new app by an event.
  await expect.poll(() => page.locator('.widget_widget').count()).toBe(2)
  await page.locator('html[data-ready=true]').waitFor()
  for (const tool of [
    '.panel_strip',
    '.diagnostics_pane',
    '.top_bar_top-bar',
    '.sidebar_tools',
    '.button_icon-button',
  ]) {
    expect(await page.locator(tool).count()).toBe(0)
  }
  await open('#/sidebar/iss_none')
  await page.getByText('No issue has this ID.').waitFor()
  expect(await page.locator('.widget_widget').count()).toBe(0)
})

test('an injected fault is labeled and not attributed to the endpoint', async () => {
  const { page, emulator } = workspace
  emulator.faults.set([
    { side: 'apps', operation: 'fetch_data', effect: { type: 'status', status: 503 } },
  ])
  await page.keyboard.press('r')
  await page.locator('.panel_strip').getByText('injected').waitFor()
  await page.locator('.panel_strip').click()
  await expectVisible(page.locator('.layout_detail-facts').getByText('injected: status'))
})

test('successful widgets do not turn red while the emulator is down', async () => {
  const { page } = workspace
  await page.route('**/-/issues/**', (route) => route.abort())
  await page.keyboard.press('r')
  await page.locator('.panel_strip').getByText('Cannot reach the emulator').waitFor()
  await value().waitFor()
  expect(await page.locator('.panel_bad, .tone-bad, .status_dot-bad').count()).toBe(0)
  await page.unroute('**/-/issues/**')
  await page.keyboard.press('r')
  await expect.poll(() => page.getByText('Cannot reach the emulator').count()).toBe(0)
})

test('widgets that did not reach the emulator load again when the connection is back', async () => {
  const { page } = workspace
  const paths = ['**/-/events', '**/-/issues/*/widgets/**']
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one route after another
    await page.route(path, (route) => route.abort())
  }
  await page.reload()
  await page.locator('.panel_strip').getByText('Cannot reach the emulator').waitFor()
  await page.getByText('Connection lost').waitFor()
  await page.unrouteAll()
  await value().waitFor()
  expect(await page.getByText('Cannot reach the emulator').count()).toBe(0)
})
