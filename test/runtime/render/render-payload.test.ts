import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Payload } from 'sidecard/schema'
import { displayWidth } from '../../../src/runtime/render/display-width.ts'
import { renderPayload } from '../../../src/runtime/render/index.ts'

const payload: Payload = {
  version: '1.0.0',
  header: { title: 'Billing' },
  components: [
    {
      type: 'card',
      header: { title: 'Plan' },
      components: [
        { type: 'text', label: 'Plan', value: 'Enterprise' },
        { type: 'text', label: 'Address', value: 'Canal 1\nDelft' },
        {
          type: 'badge',
          label: 'Status',
          items: [
            { value: 'Active', color: 'green' },
            { value: 'Net 30', color: 'gray' },
          ],
        },
        { type: 'date_time', label: 'Renews', value: '2027-03-01T00:30:00+02:00' },
        { type: 'divider' },
        { type: 'button', label: 'Open in admin', button_type: 'link', url: 'https://a.example/1' },
      ],
    },
    { type: 'link', label: 'Docs', url: 'https://docs.example/' },
  ],
}

test('renders cards, values and links', () => {
  expect(renderPayload(payload).text).toBe(`Billing

╭─ Plan ───────────────────────────────────╮
│ Plan     Enterprise                      │
│ Address  Canal 1                         │
│          Delft                           │
│ Status   ● Active (green)                │
│          ● Net 30 (gray)                 │
│ Renews   2027-02-28 22:30 UTC            │
│ ──────────────────────────────────────── │
│ [ Open in admin ↗ ]                      │
╰──────────────────────────────────────────╯
Docs ↗
`)
})

test('formats a date-time in the given time zone', () => {
  expect(renderPayload(payload, { timeZone: 'Asia/Tokyo' }).text).toContain('2027-03-01 07:30')
})

test.each([
  ['a leap second', '1998-12-31T23:59:60Z', '1998-12-31 23:59 UTC'],
  ['lowercase letters', '2026-01-02t03:04:05z', '2026-01-02 03:04 UTC'],
])('shows %s', (_name, value, shown) => {
  const components = [{ type: 'date_time' as const, label: 'At', value }]
  expect(renderPayload({ ...payload, components }).text).toContain(shown)
})

test('truncates overflowing values with an ellipsis, and reports their paths', () => {
  const long = 'x'.repeat(100)
  const components: Payload['components'] = [
    { type: 'text', label: 'Fits', value: 'yes' },
    { type: 'text', label: 'Long', value: `short\n${long}` },
    {
      type: 'badge',
      label: 'Badge',
      items: [
        { value: 'ok', color: 'red' },
        { value: long, color: 'blue' },
      ],
    },
  ]
  const { text, truncations } = renderPayload({ ...payload, components })
  expect(text).toMatch(/xx…/)
  expect(truncations).toEqual([
    { path: 'components[1].value', kind: 'text' },
    { path: 'components[2].items[1].value', kind: 'badge' },
  ])
  expect(renderPayload({ ...payload, components }, { color: true }).truncations).toEqual(
    truncations,
  )
})

test('links are clickable only with the option links', () => {
  expect(renderPayload(payload).text).not.toContain('https://')
  expect(renderPayload(payload, { links: true }).text).toContain(
    '\u001B]8;;https://docs.example/\u0007',
  )
})

// oxlint-disable-next-line no-control-regex -- the test searches for control characters
const ORDERS = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u001B[31m', '👨‍👩‍👧', '日本語', 'مرحبا', '\u202E', '\r\n', 'e\u0301'),
)

test('never writes control characters or lines wider than the width', () => {
  const component = fc.oneof(
    fc.record({ type: fc.constant('text' as const), label: anyText, value: anyText }),
    fc.record({
      type: fc.constant('badge' as const),
      label: anyText,
      items: fc.array(
        fc.record({ value: anyText, color: fc.constantFrom('blue' as const, 'gray' as const) }),
        { maxLength: 3 },
      ),
    }),
    fc.record({
      type: fc.constant('link' as const),
      label: anyText,
      url: fc.constant('https://x.example/'),
    }),
  )
  fc.assert(
    fc.property(
      fc.array(component, { maxLength: 3 }),
      anyText,
      fc.integer({ min: 20, max: 60 }),
      (components, title, width) => {
        const card = { type: 'card' as const, header: { title }, components }
        const { text } = renderPayload(
          { version: '1.0.0', header: { title }, components: [card, ...components] },
          { width },
        )
        expect(text).not.toMatch(ORDERS)
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width)
      },
    ),
    { numRuns: 300 },
  )
})

test('shows the complete trace ID at any width', () => {
  const components = [{ type: 'text' as const, label: 'Trace ID', value: '7kq2mzx9wtbc' }]
  const card = { type: 'card' as const, components }
  for (const width of [20, 24, 44, 120]) {
    const { text } = renderPayload({ ...payload, components: [card, ...components] }, { width })
    expect(text.match(/7kq2mzx9wtbc/g)).toHaveLength(2)
    expect(text).not.toContain('…')
  }
})
