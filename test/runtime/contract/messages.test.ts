import { expect, test } from 'vitest'
import { validatePayload } from 'sidecard/schema'

const sample = { type: 'text', label: '', value: '' }
const link = { type: 'link', label: '', url: 'https://example.com' }
const dateTime = { type: 'date_time', label: '' }

const card = { type: 'card', components: [] }
const badge = { type: 'badge', label: '' }
const button = { type: 'button', label: '', url: 'https://example.com' }
const TYPES = 'card, text, date_time, badge, button, link or divider'

function explain(component: unknown): string[] {
  const result = validatePayload({ version: '1.0.0', header: {}, components: [component] })
  return result.ok ? [] : result.issues.map(({ message, fix }) => `${message}. ${fix}`)
}

const explanations: [component: unknown, text: string][] = [
  [{ type: 'datetime' }, '"datetime" is not a component type. Use "date_time".'],
  [{ type: 'dateTime' }, '"dateTime" is not a component type. Use "date_time".'],
  [{ type: 'buton' }, '"buton" is not a component type. Use "button".'],
  [{ type: 'chart' }, `"chart" is not a component type. Use one of ${TYPES}.`],
  [{ type: 7 }, `must be one of ${TYPES}, got a number. Use one of ${TYPES}.`],
  [{}, `is missing. Add "type", one of ${TYPES}.`],
  [null, 'must be an object, got null. Use an object with the fields of the contract.'],
  [
    { ...badge, items: [{ value: '', color: 'grey' }] },
    '"grey" is not an allowed color. Use "gray".',
  ],
  [{ ...badge, items: [{ value: '', color: 'RED' }] }, '"RED" is not an allowed color. Use "red".'],
  [
    { ...badge, items: [{ value: '', color: 'purple' }] },
    '"purple" is not an allowed color. Use one of blue, green, red, orange or gray.',
  ],
  [
    { ...badge, items: [{ value: '' }] },
    'is missing. Add "color", one of blue, green, red, orange or gray.',
  ],
  [badge, 'is missing. Add "items", an array.'],
  [button, 'is missing. Add "button_type": "link".'],
  [{ ...button, button_type: 'submit' }, '"submit" is not an allowed button type. Use "link".'],
  [{ ...sample, iconUrl: '' }, 'a text has no field "iconUrl". Rename it to "icon_url".'],
  [{ ...sample, 'icon-url': '' }, 'a text has no field "icon-url". Rename it to "icon_url".'],
  [
    { ...link, buttonType: 'link' },
    'a link has no field "buttonType". Remove it (the fields are type, label, url).',
  ],
  [{ ...card, title: 'a' }, 'a card has no field "title". Move it into "header".'],
  [{ ...card, icon_url: 'a' }, 'a card has no field "icon_url". Move it into "header".'],
  [{ type: 'divider', label: 'a' }, 'a divider has no field "label". Remove it.'],
  [{ ...sample, value: 7 }, 'must be a string, got a number. Write String(value).'],
  [{ ...sample, value: 7n }, 'must be a string, got a bigint. Write String(value).'],
  [{ ...sample, value: null }, "must be a string, got null. Use '' for an empty value."],
  [{ ...sample, icon_url: null }, 'must be a URI, got null. Omit the field.'],
  [{ ...sample, value: new Date() }, 'must be a string, got a Date. Write value.toISOString().'],
  [{ ...sample, value: Promise.resolve('a') }, 'is a promise: await it. Write await before it.'],
  [Promise.resolve(sample), 'is a promise: await it. Write await before it.'],
  [{ ...link, url: null }, 'must be a URI, got null. Omit the component if there is no URL.'],
  [{ ...link, url: '/admin' }, 'must be a URI, got one without a scheme. Start with https://.'],
  [
    { ...link, url: 'https://example.com/a b' },
    'must be a URI, got spaces or non-ASCII characters. Encode them with encodeURI().',
  ],
  [
    { ...link, url: 'https://example.com/%' },
    'must be a URI (RFC 3986). Percent-encode invalid characters.',
  ],
  [{ ...link, url: new URL('https://a.example') }, 'must be a URI, got a URL. Write value.href.'],
  [{ ...link, url: '' }, 'must be a URI, got an empty string. Omit the field or provide a URL.'],
  [
    { ...link, url: 'ftp://example.com' },
    'must have the URI scheme http, https, mailto or tel. Use an allowed scheme.',
  ],
  [{ ...link, url: 'javascript:x' }, 'is a script or data URI. Use an https URL.'],
  [
    { ...link, url: 'https:///a' },
    'must be a URI with a host. Use a URL such as https://example.com/.',
  ],
  [
    { ...dateTime, value: '2026-11-21' },
    'must be an RFC 3339 date-time, got only a date. Add the time and the offset, such as 2026-11-21T09:30:00Z.',
  ],
  [
    { ...dateTime, value: '2026-11-21T09:30:00' },
    'must be an RFC 3339 date-time, got one without an offset. Append Z or +hh:mm.',
  ],
  [
    { ...dateTime, value: '2026-11-21 09:30:00' },
    "must be an RFC 3339 date-time, got one without an offset. Write value.replace(' ', 'T') + 'Z' if it is in UTC, as CURRENT_TIMESTAMP of SQLite and D1 is.",
  ],
  [
    { ...dateTime, value: 'tomorrow' },
    'must be an RFC 3339 date-time. Write a date-time such as 2026-11-21T09:30:00Z.',
  ],
  [
    { ...dateTime, value: 1_763_717_400_000 },
    'must be an RFC 3339 date-time, got a number. Write new Date(value * 1000).toISOString() if it is in seconds, or new Date(value).toISOString() if it is in milliseconds.',
  ],
  [
    { ...dateTime, value: 1_803_945_600n },
    'must be an RFC 3339 date-time, got a bigint. Write new Date(Number(value) * 1000).toISOString() if it is in seconds, or new Date(Number(value)).toISOString() if it is in milliseconds.',
  ],
  [
    { ...dateTime, value: false },
    'must be an RFC 3339 date-time, got a boolean. Use an RFC 3339 date-time.',
  ],
  [
    { type: 'card', components: [card] },
    'is a card, which a card cannot contain. Move it to the top level, or add its components here instead.',
  ],
]

test.each(explanations.map(([component, text]) => ({ component, text })))(
  'explains: $text',
  ({ component, text }) => {
    expect(explain(component)).toEqual([text])
  },
)

test.each(['jane.doe@example.com', 'sk-live-51H8', '4111 1111 1111 1111'])(
  'never repeats a value such as %j',
  (value) => {
    const everywhere = [
      { ...dateTime, value },
      { ...link, url: value },
      { ...sample, value: [value] },
      { ...sample, icon_url: `https://${value}/ /` },
      { ...sample, label: { [value]: value } },
    ]
    const result = validatePayload({ version: value, header: {}, components: everywhere })
    expect(result).toMatchObject({ ok: false, issues: { length: everywhere.length } })
    expect(JSON.stringify(result)).not.toContain(value)
  },
)

test('names are truncated and safe for a terminal', () => {
  const name = `\u001b[31m\u202e${'x'.repeat(1000)}`
  const verdict = validatePayload({
    version: '',
    header: { [name]: 1 },
    components: [{ type: name }],
  })
  expect(verdict.ok ? [] : verdict.issues.map(({ path }) => path)).toEqual([
    `header["\\u001b[31m\\u202e${'x'.repeat(34)}…"]`,
    'components[0].type',
  ])
})
