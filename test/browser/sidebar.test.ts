import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPayload, echoAccount, endpoint } from './helpers/endpoints.ts'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { expectVisible } from './helpers/expect-visible.ts'
import { failingEndpoint, TRACE_ID } from './helpers/failing-endpoint.ts'
import { openWorkspace } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'
import { editIds } from './helpers/edit-ids.ts'

let workspace: Workspace
let respond: (parameters: URLSearchParams) => unknown

beforeEach(async () => {
  respond = echoAccount
  workspace = await openWorkspace({
    emulator: {
      project: {
        customers: {
          Northwind: { ids: { account_id: 'acc_northwind' } },
          Acme: { ids: { account_id: 'acme' } },
        },
        states: {
          Nobody: { ids: { account_id: 'acc_nobody' } },
          'Orders failed': { customer: 'Acme', sections: { Orders: 'failed' } },
        },
      },
    },
    prepare: ({ apps }) =>
      apps.create({ name: 'Billing', target: endpoint((parameters) => respond(parameters)) }),
  })
  await workspace.page.locator('.widget_row-value').first().waitFor()
})
afterEach(() => closeWorkspace(workspace))

const value = () => workspace.page.locator('.widget_widget .widget_row-value').first()
const fragment = () => new URL(workspace.page.url()).hash
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
    await page.locator('.sidebar_request-banner').getByText('2 custom IDs').waitFor()
    await page.reload()
    await value().getByText('my-account').waitFor()
    await page.getByRole('button', { name: 'Back to normal' }).click()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
    await expect.poll(() => sent().get('account_id')).not.toBe('my-account')
  })

  test('the state is in the fragment of every view, so that a link shows it in another browser', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'Nobody' })
    await page.locator('.sidebar_request-banner').getByText('Nobody').waitFor()
    expect(fragment()).toContain('state=Nobody')
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.locator('.list_item').first().waitFor()
    expect(fragment()).toContain('state=Nobody')
    await page.getByRole('link', { name: 'Sidebar', exact: true }).click()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await expectVisible(other.locator('.sidebar_request-banner').getByText('Nobody'))
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
  })

  test('the list contains the customers and states of the project, with their place', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'Acme' })
    await value().getByText('acme').waitFor()
    expect(fragment()).toContain('customer=Acme')
    const banner = page.locator('.sidebar_request-banner')
    await banner.getByText('sidecard.json').waitFor()
    await editIds(page)
    await page.getByLabel('Requester ID').fill('usr_mine')
    await page.getByRole('button', { name: 'Apply' }).click()
    await banner.getByText('1 custom ID').waitFor()
    await expect.poll(() => sent().get('requester_id')).toBe('usr_mine')
    expect(sent().get('account_id')).toBe('acme')
  })

  test('a section that the app does not have is named', async () => {
    const { page } = workspace
    await page.getByLabel('Request as').selectOption({ label: 'Orders failed' })
    await expectVisible(page.getByText('the endpoint reports no sections').first())
  })

  test('a link with a state that the project does not have says so', async () => {
    const { page, open } = workspace
    await open('#/issues?state=Gone')
    await page.locator('.sidebar_request-banner').getByText('Unknown state.').waitFor()
    await page.getByRole('button', { name: 'Ignore' }).click()
    await expect.poll(() => page.locator('.sidebar_request-banner').count()).toBe(0)
    expect(fragment()).not.toContain('state')
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
      `#/issues?account_id=${encodeURIComponent(hostile)}&sections=__proto__&customer=__proto__`,
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
  test('every customer and state is shown with its result, and what differs from the first', async () => {
    const { page, open, emulator } = workspace
    respond = (parameters) =>
      parameters.get('account_id') === 'acc_nobody'
        ? new Response('no', { status: 500 })
        : echoAccount(parameters)
    await open('#/states')
    await page.getByText('4 states, 1 failed').waitFor()
    const names = await page.locator('.states_state-name').allInnerTexts()
    expect(names).toEqual(['Northwind', 'Acme', 'Nobody', 'Orders failed'])
    const nobody = page.locator('.states_state').filter({ hasText: 'Nobody' })
    expect(await nobody.locator('.panel_panel').getAttribute('data-outcome')).toBe('status')
    const acme = page.locator('.states_state').nth(1)
    expect(await acme.locator('[data-differs]').count()).toBe(1)
    respond = (parameters) =>
      parameters.get('account_id') === 'acme' ? createPayload() : echoAccount(parameters)
    emulator.events.emit({ type: 'source_changed' })
    await page.getByText('4 states, no failures').waitFor()
    await acme.getByText('Not here: Account').waitFor()
    await nobody.getByRole('link', { name: 'Request details' }).click()
    await page.getByRole('heading', { name: 'fetch_data to Billing' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Nobody' }).click()
    await page.locator('.sidebar_request-banner').getByText('Nobody').waitFor()
  })

  test('the states are those of the issue that was opened last, with the name of each app', async () => {
    const { page, open, emulator } = workspace
    await emulator.apps.create({ name: 'Orders', target: endpoint(echoAccount) })
    const [first, second] = emulator.issues.list()
    const held = Promise.withResolvers<void>()
    respond = async (parameters) => {
      if (parameters.get('issue_id') === first?.id) await held.promise
      return echoAccount(parameters)
    }
    await open(`#/states/${first?.id}`)
    await expect
      .poll(() => page.locator('.states_head output').innerText())
      .toContain('Loading every')
    await page.keyboard.press('j')
    await page.locator('.states_state').nth(3).waitFor()
    const shown = page.locator('.states_state').first()
    const text = await shown.innerText()
    expect(text).toContain('Orders')
    expect(second?.id).toBe('iss_2')
    held.resolve()
    await expect.poll(() => emulator.exchanges.list().length).toBeGreaterThan(18)
    expect(await shown.innerText()).toBe(text)
  })

  test('an app that is not connected fails in every state', async () => {
    const { page, open, emulator } = workspace
    emulator.apps.disconnect(emulator.apps.list()[0]?.id ?? '')
    await open('#/states')
    await expectVisible(page.getByText('4 states, 4 failed'))
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
    return echoAccount(parameters)
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
