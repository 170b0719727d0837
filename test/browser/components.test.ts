import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { closeWorkspace } from './helpers/close-workspace.ts'
import { createPayload } from './helpers/endpoints.ts'
import { openSingleApp } from './helpers/single-app.ts'
import type { SingleApp } from './helpers/single-app.ts'
import { ICONS } from './helpers/workspace.ts'
import type { Workspace } from './helpers/workspace.ts'

let workspace: Workspace
let showPayload: SingleApp['show']

beforeEach(async () => {
  ;({ workspace, show: showPayload } = await openSingleApp())
})

afterEach(() => closeWorkspace(workspace))

/** Shows a payload and returns its widget. */
async function show(payload: unknown): Promise<Locator> {
  await showPayload(payload)
  return workspace.page.locator('.panel_panel')
}

const text = (value: string, label = 'Label') => ({ type: 'text', label, value })

test('the header shows its title and its icon, but not a broken icon', async () => {
  const header = { title: 'Billing', icon_url: `${ICONS}ok.png` }
  const widget = await show({ ...createPayload(text('x')), header })
  expect(await widget.locator('h3').textContent()).toBe('Billing')
  expect(await widget.locator('.widget_header img').getAttribute('src')).toBe(header.icon_url)
  await show({
    ...createPayload(text('x')),
    header: { title: 'B', icon_url: `${ICONS}broken.png` },
  })
  await expect.poll(() => widget.locator('.widget_header img').count()).toBe(0)
})

test('without a title in the header, the name of the widget is shown', async () => {
  const widget = await show({ ...createPayload(text('x')), header: {} })
  expect(await widget.locator('h3').textContent()).toBe('App')
})

test('text shows its lines, and overflowing text is truncated with an ellipsis', async () => {
  const widget = await show(
    createPayload(text('one\ntwo\nthree'), text('word '.repeat(400), 'Long')),
  )
  const value = widget.locator('.clamp')
  expect(await value.first().innerText()).toBe('one\ntwo\nthree')
  const { clientHeight, scrollHeight } = await value.nth(1).evaluate((element) => ({
    clientHeight: element.clientHeight,
    scrollHeight: element.scrollHeight,
  }))
  expect(clientHeight).toBeLessThan(scrollHeight)
  expect(clientHeight).toBeLessThan(220)
})

test('a date-time is shown in the reader’s time zone, with the exact value on hover', async () => {
  const component = { type: 'date_time', label: 'Renews', value: '2027-03-01T09:00:00Z' }
  const time = (await show(createPayload(component))).locator('time')
  expect(await time.textContent()).toBe('1 Mar 2027, 10:00')
  expect(await time.getAttribute('title')).toBe('2027-03-01T09:00:00Z')
})

test('a leap second and lowercase letters are shown as a date-time (A10)', async () => {
  const component = { type: 'date_time', label: 'Leap', value: '1998-12-31t23:59:60z' }
  const time = (await show(createPayload(component))).locator('time')
  expect(await time.textContent()).toBe('1 Jan 1999, 00:59')
})

test('a badge shows its items in their five colors; an empty badge has none', async () => {
  const colors = ['blue', 'green', 'red', 'orange', 'gray']
  const items = colors.map((color) => ({ value: color, color }))
  const widget = await show(
    createPayload(
      { type: 'badge', label: 'Status', items },
      { type: 'badge', label: '', items: [] },
    ),
  )
  const backgrounds = await widget
    .locator('.widget_badge')
    .evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).backgroundColor))
  expect(new Set(backgrounds).size).toBe(5)
})

test('a badge value that is too long is truncated with an ellipsis', async () => {
  const items = [{ value: 'x'.repeat(500), color: 'red' }]
  const widget = await show(createPayload({ type: 'badge', label: 'Status', items }))
  const { overflow, width } = await widget.locator('.widget_badge .cut').evaluate((element) => ({
    overflow: getComputedStyle(element).textOverflow,
    width: element.scrollWidth - element.clientWidth,
  }))
  expect(overflow).toBe('ellipsis')
  expect(width).toBeGreaterThan(100)
})

test('a button and a link open in a new tab, without a referrer or an opener', async () => {
  const url = 'https://admin.example.com/7?a=1#b'
  const widget = await show(
    createPayload(
      { type: 'button', label: 'Open', button_type: 'link', url },
      { type: 'link', label: 'All', url },
    ),
  )
  for (const name of ['Open', 'All']) {
    const link = widget.getByRole('link', { name, exact: true })
    expect(await link.getAttribute('href')).toBe(url)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await link.getAttribute('target')).toBe('_blank')
  }
})

test('a URL with a disallowed scheme is plain text (A9)', async () => {
  const url = 'ftp://files.lumen.example/'
  const widget = await show(
    createPayload(
      { type: 'button', label: 'Write', button_type: 'link', url },
      { type: 'link', label: 'Write too', url },
    ),
  )
  expect(await widget.getByText('Write', { exact: true }).count()).toBe(1)
  expect(await widget.locator('.widget_body a[href^="ftp"]').count()).toBe(0)
})

test('a card groups its components under its own header; a divider is a line', async () => {
  const widget = await show(
    createPayload(
      { type: 'card', header: { title: 'Plan' }, components: [text('Team'), { type: 'divider' }] },
      { type: 'card', components: [] },
    ),
  )
  expect(await widget.locator('.widget_card').count()).toBe(2)
  expect(await widget.locator('.widget_card h4').textContent()).toBe('Plan')
  expect(await widget.locator('.widget_card').first().locator('hr').count()).toBe(1)
})

test('an unknown component is the agent’s error state; the developer reads the rule and the fix', async () => {
  await show(createPayload(text('good', 'Before')))
  const widget = await show(createPayload(text('good'), { type: 'progress', label: 'Seats' }))
  expect(await widget.locator('.widget_agent-error').innerText()).toBe(
    'This app could not be displayed.',
  )
  const note = workspace.page.getByRole('region', { name: 'Diagnostics' })
  expect(await note.innerText()).toContain('components[1].type')
  expect(await note.innerText()).toContain('component-type')
  expect(await note.innerText()).toContain('Use one of card')
  expect(await note.getByRole('link', { name: 'Open in Requests' }).getAttribute('href')).toMatch(
    /^#\/inspector\//,
  )
  expect(await note.locator('.widget_last-good').innerText()).toContain('Before')
})

test('a failed response shows the problem and the fix', async () => {
  const widget = await show(new Response('<h1>Oops</h1>', { status: 500 }))
  expect(await widget.locator('.widget_agent-error').innerText()).toBe(
    'This app could not be loaded.',
  )
  const note = workspace.page.getByRole('region', { name: 'Diagnostics' })
  await expect.poll(() => note.innerText()).toContain('500')
})

test('an empty payload shows a message', async () => {
  expect(await (await show(createPayload())).locator('.widget_body').innerText()).toBe(
    'Nothing to show',
  )
})

test('huge and unusual values do not widen the sidebar', async () => {
  const odd = [
    'W'.repeat(5_000),
    '👩‍👩‍👧‍👦'.repeat(300),
    'العربية'.repeat(200),
    'á̈'.repeat(900),
    '\u202E rev',
  ]
  const widget = await show({
    ...createPayload(
      ...odd.flatMap((value) => [
        text(value, value),
        { type: 'badge', label: value, items: [{ value, color: 'blue' }] },
        { type: 'button', label: value, button_type: 'link', url: 'https://example.com/' },
        { type: 'card', header: { title: value }, components: [text(value, value)] },
      ]),
    ),
    header: { title: 'W'.repeat(3_000) },
  })
  const [outer, inner] = await workspace.page
    .locator('.sidebar_list')
    .evaluate((list) => [list.clientWidth, list.scrollWidth])
  expect(inner).toBe(outer)
  expect((await widget.boundingBox())?.width).toBeLessThan(320)
})

test('the overlay marks truncated text and counts it', async () => {
  await show(createPayload(text('short'), text('y'.repeat(2_000))))
  const { page } = workspace
  await page.getByRole('button', { name: 'More sidebar tools' }).click()
  await page.getByRole('menuitem', { name: 'Show truncation' }).click()
  await page.getByRole('button', { name: '1 truncated' }).waitFor()
  expect(await page.locator('[data-is-cut]').getAttribute('title')).toContain('components[1].value')
  await page.getByRole('button', { name: '1 truncated' }).click()
  await expect.poll(() => page.locator('[data-is-cut]').count()).toBe(0)
})

test('values align in one column across a widget, including cards', async () => {
  const widget = await show(
    createPayload(
      text('short', 'A'),
      {
        type: 'card',
        components: [
          text('in a card', 'A longer label'),
          { type: 'date_time', label: 'B', value: '2026-11-21T09:30:00Z' },
        ],
      },
      { type: 'badge', label: 'C', items: [{ value: 'x', color: 'green' }] },
    ),
  )
  await widget.locator('.widget_row-value').nth(3).waitFor()
  const lefts = await widget
    .locator('.widget_row-value')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().left)))
  expect(new Set(lefts).size).toBe(1)
})

test('a link with credentials shows its real host and not the credentials', async () => {
  const url = 'https://bank.example:pw@evil.example/x'
  const widget = await show(createPayload({ type: 'link', label: 'Bank', url }))
  const link = widget.locator('.widget_link')
  const host = link.getByText('evil.example')
  await host.waitFor()
  expect(await host.evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true)
  expect(await link.getAttribute('title')).not.toContain('pw')
})
