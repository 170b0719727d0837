import { expect, test } from 'vitest'
import { validatePayload } from 'sidecard'

type Fields = Record<string, unknown>

/** A valid object of each table of the contract, its place in a payload, and what messages call it. */
const OBJECTS: Record<string, [fields: Fields, path: string, name: string]> = {
  payload: [{ version: '1.0.0', header: { title: 'a' }, components: [] }, '', 'the payload'],
  header: [{ title: 'a', icon_url: 'https://example.com/a.png' }, 'header', 'the header'],
  card: [{ type: 'card', header: { title: 'a' }, components: [] }, 'components[0]', 'a card'],
  text: [
    { type: 'text', label: 'a', value: 'b', icon_url: 'https://example.com/a.png' },
    'components[0]',
    'a text',
  ],
  date_time: [
    {
      type: 'date_time',
      label: 'a',
      value: '2026-11-21T09:30:00Z',
      icon_url: 'https://example.com/a.png',
    },
    'components[0]',
    'a date time',
  ],
  badge: [{ type: 'badge', label: 'a', items: [] }, 'components[0]', 'a badge'],
  badge_item: [{ value: 'a', color: 'red' }, 'components[0].items[0]', 'a badge item'],
  button: [
    { type: 'button', label: 'a', button_type: 'link', url: 'https://example.com/' },
    'components[0]',
    'a button',
  ],
  link: [{ type: 'link', label: 'a', url: 'https://example.com/' }, 'components[0]', 'a link'],
  divider: [{ type: 'divider' }, 'components[0]', 'a divider'],
}

/** A payload with the object in its place. */
function wrap(kind: string, fields: Fields): unknown {
  if (kind === 'payload') return fields
  if (kind === 'header') return { version: '1.0.0', header: fields, components: [] }
  const component = kind === 'badge_item' ? { type: 'badge', label: 'a', items: [fields] } : fields
  return { version: '1.0.0', header: { title: 'a' }, components: [component] }
}

function issuesOf(value: unknown) {
  const result = validatePayload(value)
  return result.ok ? [] : result.issues
}

const KINDS = Object.keys(OBJECTS)
const valid = (kind: string) => OBJECTS[kind]![0]
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

const FIELDS = KINDS.flatMap((kind) =>
  Object.keys(valid(kind)).map((name) => [kind, name] as const),
)
const OPTIONAL = [
  'header.title',
  'header.icon_url',
  'card.header',
  'text.icon_url',
  'date_time.icon_url',
]

test.each(KINDS)('a valid %s has no issue', (kind) => {
  expect(issuesOf(wrap(kind, valid(kind)))).toEqual([])
})

test.each(FIELDS)('%s.%s may be absent only where the contract allows it', (kind, name) => {
  const { [name]: _, ...others } = valid(kind)
  const path = join(OBJECTS[kind]![1], name)
  const issues = issuesOf(wrap(kind, others))
  const missing = [{ code: 'missing_field', path, message: 'is missing' }]
  expect(issues).toMatchObject(OPTIONAL.includes(`${kind}.${name}`) ? [] : missing)
})

test.each(FIELDS)('%s.%s is not a number, nor null', (kind, name) => {
  for (const [value, type] of [
    [7, 'a number'],
    [null, 'null'],
  ] as const) {
    const issues = issuesOf(wrap(kind, { ...valid(kind), [name]: value }))
    expect(issues).toHaveLength(1)
    expect(issues[0]?.path).toBe(join(OBJECTS[kind]![1], name))
    expect(issues[0]?.message).toContain(`got ${type}`)
    const isOmittable = value === null && OPTIONAL.includes(`${kind}.${name}`)
    expect(issues[0]?.fix === 'Omit the field.').toBe(isOmittable)
  }
})

test.each(KINDS)('an unknown field of %s is named with its object', (kind) => {
  const [fields, path, name] = OBJECTS[kind]!
  const issues = issuesOf(wrap(kind, { ...fields, wrong: 1, 'not a name': 2 }))
  const code = kind === 'divider' ? 'divider_field' : 'unknown_field'
  expect(issues).toMatchObject([
    { code, path: join(path, 'wrong'), message: `${name} has no field "wrong"` },
    { code, path: `${path}["not a name"]`, message: `${name} has no field "not a name"` },
  ])
})

test.each(KINDS)('fields that %s inherits do not count', (kind) => {
  const [fields, path] = OBJECTS[kind]!
  const inherit = (own: Fields, inherited: Fields) => Object.assign(Object.create(inherited), own)
  expect(issuesOf(wrap(kind, inherit(fields, { wrong: 1 })))).toEqual([])
  if (!('type' in fields)) return
  const { type, ...others } = fields
  expect(issuesOf(wrap(kind, inherit(others, { type })))).toMatchObject([
    { code: 'missing_field', path: join(path, 'type') },
  ])
})

test.each(KINDS)('more than 10,000 fields of %s are one issue', (kind) => {
  const [fields, path] = OBJECTS[kind]!
  const fill = (count: number) => {
    const names = Array.from({ length: count - Object.keys(fields).length }, (_, n) => `x${n}`)
    return { ...fields, ...Object.fromEntries(names.map((name) => [name, 1])) }
  }
  expect(issuesOf(wrap(kind, fill(10_000)))[0]?.message).toMatch(/"x0"$/)
  expect(issuesOf(wrap(kind, fill(10_001)))).toMatchObject([
    { path, message: 'has more than 10,000 fields' },
  ])
})

test.each([
  [{ version: '1.0.0' }, ['header', 'components']],
  [{ header: { title: 'a' } }, ['version', 'components']],
  [{ components: [] }, ['version', 'header']],
])('a payload of %j misses the other fields', (payload, paths) => {
  const missing = paths.map((path) => ({ path, code: 'missing_field' }))
  expect(issuesOf(payload)).toMatchObject(missing)
})

test.each([
  ['header', 'header'],
  ['text', 'components[0]'],
  ['badge_item', 'components[0].items[0]'],
])('a number instead of a %s is no object', (kind, path) => {
  expect(issuesOf(wrap(kind, 7 as never))).toMatchObject([
    { path, message: 'must be an object, got a number', fix: expect.stringMatching(/^Use an? /) },
  ])
})

test('names of unknown fields are shortened to 40 characters', () => {
  const name = 'n'.repeat(41)
  for (const length of [40, 41]) {
    const [issue] = issuesOf(wrap('text', { ...valid('text'), [name.slice(0, length)]: 1 }))
    const shown = `"${'n'.repeat(40)}${length === 41 ? '…' : ''}"`
    expect(issue?.message).toBe(`a text has no field ${shown}`)
  }
})

test.each([
  [true, 'a boolean', 'Write String(value).'],
  [1n, 'a bigint', 'Write String(value).'],
  [7, 'a number', 'Write String(value).'],
  [Number.NaN, 'NaN', 'Write String(value).'],
  [new Date(0), 'a Date', 'Write value.toISOString().'],
  [{}, 'an object', 'Use a string.'],
  [[], 'an array', 'Use a string.'],
  [Symbol('a'), 'a symbol', 'Use a string.'],
])('a value of %o is reported with the fix', (value, type, fix) => {
  expect(issuesOf(wrap('text', { ...valid('text'), value }))).toEqual([
    {
      code: 'invalid_type',
      path: 'components[0].value',
      message: `must be a string, got ${type}`,
      fix,
    },
  ])
})

test.each([
  ['a Map', new Map(), 'a class instance'],
  ['an object with a custom prototype', Object.create({ title: 'a' }), 'a class instance'],
  ['an ArrayBuffer', new ArrayBuffer(3), 'bytes'],
])('%s is no header', (_name, header, type) => {
  expect(issuesOf({ version: '1.0.0', header, components: [] })).toEqual([
    {
      code: 'invalid_type',
      path: 'header',
      message: `must be a plain object, got ${type}`,
      fix: 'Use a plain object.',
    },
  ])
})

test.each([
  ['a Uint8Array', new Uint8Array(3)],
  ['an Int32Array', new Int32Array(3)],
  ['a DataView', new DataView(new ArrayBuffer(3))],
])('%s is named as bytes where an object is expected', (_type, value) => {
  const message = 'must be an object, got bytes'
  expect(issuesOf({ version: '1.0.0', header: value, components: [value] })).toMatchObject([
    { path: 'header', message },
    { path: 'components[0]', message },
  ])
})

test('unknown fields beyond the limit of issues are counted', () => {
  const value = wrap('text', { ...valid('text'), a: 1, b: 2, c: 3, d: 4, e: 5 })
  expect(validatePayload(value, { maxIssues: 2 })).toMatchObject({
    ok: false,
    issues: [{ path: 'components[0].a' }, { path: 'components[0].b' }],
    omittedCount: 3,
  })
})
