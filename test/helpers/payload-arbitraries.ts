import * as fc from 'fast-check'
import { BADGE_COLORS } from '../../src/runtime/contract/generated/vocabulary.ts'
import type { CardChild } from '../../src/runtime/contract/generated/types.ts'

/** Payloads for property tests: valid ones, and ones with a few edits. */

const label = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'line 1\nline 2',
    '"quoted" \\',
    '\ud800 half',
    'العربية',
    '👩‍👩‍👧',
    'a'.repeat(70),
  ),
)
const iconUrl = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom('https://example.com', 'http://[::1]:8080/', 'HTTPS://EXAMPLE.com/%20?#'),
)
const url = fc.oneof(iconUrl, fc.constantFrom('mailto:jo@example.com', 'TEL:+1-201-555-0123'))
const dateTime = fc.oneof(
  fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc.constantFrom(
    '2026-11-21T09:30:00Z',
    '1998-12-31t15:59:60.9-08:00',
    '2024-02-29T00:00:00+14:00',
  ),
)
const color = fc.constantFrom(...BADGE_COLORS)
const items = fc.array(fc.record({ value: label, color }), { maxLength: 3 })
const optional = { noNullPrototype: true, requiredKeys: [] as [] }

const header = fc.record({ title: label, icon_url: iconUrl }, optional)
const text = fc.record(
  { type: fc.constant('text'), label, value: label, icon_url: iconUrl },
  { noNullPrototype: true, requiredKeys: ['type', 'label', 'value'] },
)
const dateTimeComponent = fc.record(
  { type: fc.constant('date_time'), label, value: dateTime, icon_url: iconUrl },
  { noNullPrototype: true, requiredKeys: ['type', 'label', 'value'] },
)
const badge = fc.record({ type: fc.constant('badge'), label, items })
const button = fc.record({
  type: fc.constant('button'),
  label,
  button_type: fc.constant('link'),
  url,
})
const link = fc.record({ type: fc.constant('link'), label, url })
const divider = fc.record({ type: fc.constant('divider') })
const CARD_CHILDREN = {
  text,
  date_time: dateTimeComponent,
  badge,
  button,
  link,
  divider,
} satisfies Record<CardChild['type'], fc.Arbitrary<object>>
const cardChild = fc.oneof(...Object.values<fc.Arbitrary<object>>(CARD_CHILDREN))
const card = fc.record(
  { type: fc.constant('card'), header, components: fc.array(cardChild, { maxLength: 4 }) },
  { noNullPrototype: true, requiredKeys: ['type', 'components'] },
)

/** Whole payloads, all valid. */
export const validPayload: fc.Arbitrary<object> = fc.record({
  version: fc.oneof(fc.constant('1.0.0'), label),
  header,
  components: fc.array(fc.oneof(cardChild, card), { maxLength: 4 }),
})

const anything = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    0,
    '',
    'grey',
    'datetime',
    'card',
    'link',
    'https:',
    [],
    {},
  ),
  fc.constantFrom('2026-11-21', '2026-13-01T00:00:00Z', 'javascript:alert(1)', '/a', 'http://'),
  fc.constantFrom('mailto:jo@example.com', 'data:,x', 'ftp://example.com', 'tel:'),
  fc.jsonValue({ maxDepth: 2 }),
  card,
  badge,
  divider,
)
const fieldName = fc.oneof(
  fc.constantFrom('type', 'label', 'value', 'icon_url', 'items', 'header', 'title', 'components'),
  fc.constantFrom('url', 'version', 'color', 'button_type', 'iconUrl', 'constructor', 'toJSON'),
  fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
)
const edit = fc.record({
  steps: fc.array(fc.nat({ max: 20 }), { maxLength: 7, size: 'max' }),
  name: fieldName,
  value: anything,
  kind: fc.constantFrom('set', 'replace', 'delete', 'add', 'misspell', 'misspell'),
  slip: fc.constantFrom('x', ' ', '%', 'Z', '\n', '_', '1', ''),
})

/** Payloads with up to three edits. Each edit may make them invalid. */
export const nearPayload: fc.Arbitrary<unknown> = fc
  .tuple(validPayload, fc.array(edit, { maxLength: 3 }))
  .map(([payload, edits]) => {
    const root: { payload: unknown } = { payload: structuredClone(payload) }
    for (const { steps, kind, name, value: source, slip } of edits) {
      // Two edits can draw the same object, which would create a cycle.
      const value: unknown = structuredClone(source)
      let parent: Record<string, unknown> = root
      let key = 'payload'
      for (const step of steps) {
        const next = parent[key]
        if (typeof next !== 'object' || next === null) break
        const keys = Object.keys(next)
        if (keys.length === 0) break
        parent = next as Record<string, unknown>
        key = keys[step % keys.length] ?? key
      }
      const target = parent[key]
      const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
      if (kind === 'delete' && !Array.isArray(parent)) delete parent[key]
      else if (kind === 'add' && Array.isArray(target)) target.push(value)
      else if (kind === 'set' && isObject) Object.assign(target, { [name]: value })
      else if (kind === 'misspell' && typeof target === 'string') {
        parent[key] = slip === '' ? target.slice(1) : target + slip
      } else parent[key] = value
    }
    return root.payload
  })
