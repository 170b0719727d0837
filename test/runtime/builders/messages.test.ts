import { expect, test } from 'vitest'
import {
  badge,
  button,
  calendarDate,
  card,
  dateTime,
  fields,
  link,
  payload,
  section,
  status,
  text,
} from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'
import { revokedProxy } from '../../helpers/revoked-proxy.ts'

const AWAIT = 'is a promise: await it. Write await before it.'
const TEXT = { label: 'a', value: 'b' }
const HEADER = { title: 'a' }
const load = () => null

test.each<[string, () => unknown]>([
  [`text(): ${AWAIT}`, () => text(Promise.resolve(TEXT) as never)],
  [
    'text(): expects one argument: an object with the fields. Pass an object.',
    () => text([] as never),
  ],
  [
    'text(): type: is set by the builder. Remove it.',
    () => text({ ...TEXT, type: 'text' } as never),
  ],
  [
    'text():\n  - label: is missing. Add "label", a string.\n  - value: is missing. Add "value", a string.',
    // Without a known field, the others are not listed: there may be millions.
    () => text({ wrong: 1 } as never),
  ],
  [
    'card(): type: is set by the builder. Remove it.',
    () => card({ components: [], type: 'card' } as never),
  ],
  [
    'payload(): version: is set by the builder. Remove it.',
    () => payload({ header: HEADER, components: [], version: '1.0.0' } as never),
  ],
  [
    'card(): components: is missing. Add "components", an array.',
    () => card({ header: HEADER } as never),
  ],
  [
    'payload(): components: must be an array, got a string. Use an array.',
    () => payload({ header: HEADER, components: 'a' as never }),
  ],
  [`card(): components: ${AWAIT}`, () => card({ components: Promise.resolve([]) as never })],
  [
    'card(): header.title: is missing. Add "title", a string.',
    () => card({ header: {} as never, components: [] }),
  ],
  [
    'dateTime(): value: is an invalid Date. Check the code that parses the date, or omit the component.',
    () => dateTime({ label: 'a', value: new Date(Number.NaN) }),
  ],
  [
    'dateTime(): value: has a year outside 0000–9999, which RFC 3339 does not support. Check the code that parses the date, or omit the component.',
    () => dateTime({ label: 'a', value: new Date(8.64e15) }),
  ],
  [
    'dateTime(): value: has a year outside 0000–9999, which RFC 3339 does not support. Check the code that parses the date, or omit the component.',
    () => dateTime({ label: 'a', value: new Date(-8.64e15) }),
  ],
  ...[revokedProxy([]), revokedProxy({})].map((value): [string, () => unknown] => [
    'card(): components[0]: cannot be read: a getter or proxy threw, or the string is too long. Return plain objects.',
    () => card({ components: [value as never] }),
  ]),
  [
    'card(): cannot be read: a getter or proxy threw, or the string is too long. Return plain objects.',
    () => card({ components: revokedProxy([]) }),
  ],
  [
    'badge(): cannot be read: a getter or proxy threw, or the string is too long. Return plain objects.',
    () => badge({ label: 'a', items: revokedProxy([]) }),
  ],
  [
    'dateTime(): value: must be an RFC 3339 date-time, got an object. Use an RFC 3339 date-time.',
    () => dateTime({ label: 'a', value: revokedProxy({}) }),
  ],
  // A neighboring value with any scheme is no further issue.
  [
    'link(): label: must be a string, got a number. Write String(value).',
    () => link({ label: 7 as never, url: 'slack://channel' }),
  ],
  [
    'card(): components[1].type: is missing. Add "type", one of text, date_time, badge, button, link or divider.',
    () => card({ components: [{ type: 'link', label: 'a', url: 'slack://channel' }, {} as never] }),
  ],
  [
    'button(): label: is missing. Add "label", a string.',
    () => button({ url: 'https://a.example' } as never),
  ],
  [
    'dateTime(): label: must be a string, got a number. Write String(value).',
    () => dateTime({ label: 7 as never, value: '2026-11-21T09:30:00Z' }),
  ],
  [`card(): ${AWAIT}`, () => card(Promise.resolve({}) as never)],
  [`payload(): ${AWAIT}`, () => payload(Promise.resolve({}) as never)],
  [
    'payload(): expects one argument: an object with the fields. Pass an object.',
    () => payload(null as never),
  ],
  [
    'payload(): components: must be an array, got a number. Use an array.',
    () => payload({ header: HEADER, components: 7 as never }),
  ],
])('%s', (message, call) => {
  expect(call).toThrow(expect.objectContaining({ name: 'InvalidComponentError', message }))
})

test.each([
  [5, /- unknown4: .*$/, 5],
  [6, /and 1 more$/, 6],
  [25, /and 15 more$/, 20],
])('of %i unknown fields, five are shown, and at most 20 are listed', (count, end, listed) => {
  const unknown = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`unknown${index}`, 1]),
  )
  const error = catchInvalid(() => text({ ...TEXT, ...unknown }))
  expect(error.message).toMatch(end)
  expect(error.message.match(/unknown\d+: /g)).toHaveLength(5)
  expect(error.issues).toHaveLength(listed)
})

test('the code of a promise is unawaited_promise, of too many fields too_many_components', () => {
  const codes = [
    () => fields({ Plan: Promise.resolve('Pro') as any }),
    () => text(Promise.resolve(TEXT) as never),
    () => fields(Array.from({ length: 10_001 }, () => ['a', 'b'] as const)),
    () => card({ components: Array.from({ length: 100_001 }, () => false as const) }),
    () => fields(new Map() as never),
  ].map((call) => catchInvalid(call).issues.map(({ code }) => code))
  expect(codes).toEqual([
    ['unawaited_promise'],
    ['unawaited_promise'],
    ['too_many_components'],
    ['too_many_components'],
    ['invalid_type'],
  ])
})

test('fields that an argument inherits are ignored, and undefined ones are absent', () => {
  const inherit = <F extends object>(own: F): F => Object.assign(Object.create({ more: 1 }), own)
  const url = 'https://example.com/'
  expect(text(inherit(TEXT))).toEqual({ type: 'text', ...TEXT })
  expect(dateTime(inherit({ label: 'a', value: '2026-11-21T09:30:00Z' })).label).toBe('a')
  expect(badge(inherit({ label: 'a', items: [inherit(status('a', {}))] })).items).toEqual([
    { value: 'a', color: 'gray' },
  ])
  expect(button(inherit({ label: 'a', url }))).toEqual({
    type: 'button',
    label: 'a',
    button_type: 'link',
    url,
  })
  const icon_url = 'https://example.com/a.png'
  const header = inherit({ title: 'a', icon_url })
  expect(card(inherit({ header, components: [[text(TEXT)], false] }))).toEqual({
    type: 'card',
    header: { title: 'a', icon_url },
    components: [text(TEXT)],
  })
  expect(payload(inherit({ header, components: [text(TEXT)] }))).toEqual({
    version: '1.0.0',
    header: { title: 'a', icon_url },
    components: [text(TEXT)],
  })
  expect(Object.keys(section('a', load, { timeoutMs: undefined, icon_url: undefined }))).toEqual([
    'title',
    'load',
  ])
})

test('arrays nest up to 32 levels deep in a card', () => {
  const nest = (levels: number, leaf: unknown = text(TEXT)) => {
    let items: unknown = [leaf]
    for (let level = 0; level < levels; level += 1) items = [items]
    return () => card({ components: items as never })
  }
  expect(nest(32)()).toEqual(card({ components: [text(TEXT)] }))
  expect(nest(32, true)).toThrow(/components(\[0\]){33}: must be an object, got a boolean/)
  expect(nest(33)).toThrow(/components(\[0\]){33}: is nested too deeply\. Show fewer components\.$/)
})

test('a card accepts at most 100,000 entries at any depth', () => {
  const half = Array.from({ length: 50_000 }, () => false as const)
  expect(card({ components: [half, half.slice(2)] })).toEqual(card({ components: [] }))
  expect(() => card({ components: [half, half.slice(1)] })).toThrow(
    'card(): components[1]: exceeds 100000 components. Show fewer components.',
  )
})

test('a revoked proxy is an object', () => {
  expect(() => calendarDate(revokedProxy({}))).toThrow(
    'calendarDate(): value: is an object, expected a string or a Date.',
  )
})
