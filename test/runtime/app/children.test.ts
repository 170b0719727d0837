import { describe, expect, test } from 'vitest'
import { badge, card, type Child, divider, payload, section, sidecard, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { uniqueName } from '../../helpers/cache.ts'
import { createTestApp, FETCH_DATA, neverResolves, readPayload } from '../../helpers/app.ts'

const one = (label: string) => text({ label, value: 'x' })

/** Shows components as `a`, and cards as `Title(a b)`. */
const show = (components: any[]): string =>
  components
    .map(({ type, label, header, components: inner }) =>
      type === 'card' ? `${header?.title ?? ''}(${show(inner)})` : (label ?? type),
    )
    .join(' ')

async function open(fetchData: () => unknown, options = {}) {
  const errors: Error[] = []
  const app = createTestApp({
    fetchData: fetchData as never,
    onError: (error) => void errors.push(error as Error),
    ...options,
  })
  const response = await app.request(FETCH_DATA)
  const { components, header } = await readPayload(response)
  const failure = response.headers.get('x-sidecard-failure')
  return { shown: show(components), header, failure, errors }
}

const names = ['a', 'b']
const isVip = names.length > 0

test.each<[string, () => unknown, string]>([
  [
    'sections of a map, without a spread',
    () => [one('first'), names.map((name) => section(name, () => one('x'))), one('last')],
    'first a(x) b(x) last',
  ],
  [
    'several sections under a condition',
    () => [
      isVip && [section('a', () => one('x')), section('b', () => one('x'))],
      !isVip && [one('y')],
    ],
    'a(x) b(x)',
  ],
  ['arrays in arrays', () => [[one('a'), [[one('b')], null, [[[one('c')]]]]], one('d')], 'a b c d'],
  [
    'a promise of sections, promises and arrays',
    () => [
      Promise.resolve([
        one('a'),
        [section('S', () => one('x')), Promise.resolve([one('b'), false])],
      ]),
      one('c'),
    ],
    'a S(x) b c',
  ],
  ['an async map', () => names.map(async (name) => section(name, () => one('x'))), 'a(x) b(x)'],
  ['a promise of a section', async () => [[Promise.resolve(section('S', () => one('x')))]], 'S(x)'],
  ['a promise of nothing', () => [Promise.resolve(null), [Promise.resolve([])]], ''],
  [
    'a payload with sections, promises and arrays',
    () =>
      payload({
        header: { title: 'Own' },
        components: [
          one('a'),
          names.map((n) => section(n, () => one('x'))),
          Promise.resolve(one('b')),
        ],
      }),
    'a a(x) b(x) b',
  ],
  [
    'a payload without the builder',
    () => ({
      version: '1.0.0',
      header: { title: 'Own' },
      components: [[section('a', () => one('x'))]],
    }),
    'a(x)',
  ],
  [
    'arrays in a section',
    () => [section('S', () => [one('a'), [[one('b')], false], names.map((n) => [one(n)])])],
    'S(a b a b)',
  ],
  [
    'promises in a section',
    () => [section('S', () => [Promise.resolve([one('a'), Promise.resolve(null)]), [one('b')]])],
    'S(a b)',
  ],
  [
    'a promise of promises in a section',
    () => [section('S', async () => [names.map(async (name) => one(name))])],
    'S(a b)',
  ],
])('shows %s in the written order', async (_, fetchData, expected) => {
  const { shown, failure } = await open(fetchData)
  expect([shown, failure]).toEqual([expected, null])
})

test('the header of a payload can depend on the customer of an app with sections', async () => {
  const { header, shown } = await open(async () =>
    payload({ header: { title: 'Northwind' }, components: [section('S', () => one('x'))] }),
  )
  expect([header, shown]).toEqual([{ title: 'Northwind' }, 'S(x)'])
})

test('promises in a cached section are awaited before it is cached', async () => {
  const store = memoryStore()
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60, staleSeconds: 60 })
  const app = createTestApp({
    fetchData: () => [section('S', () => [[Promise.resolve(one('a'))]], { cache, key: ['a'] })],
  })
  for (const _ of names) {
    // oxlint-disable-next-line no-await-in-loop -- the second request reads what the first one stored
    const { components } = await readPayload(await app.request(FETCH_DATA))
    expect(show(components)).toBe('S(a)')
  }
})

describe('a child that fails', () => {
  test('inside a promise replaces only itself', async () => {
    const { shown, failure } = await open(() => [
      Promise.resolve([
        one('a'),
        section('S', () => Promise.reject(new Error('down'))),
        [Promise.reject(new Error('down'))],
      ]),
      one('b'),
    ])
    expect(shown).toMatch(/^a S\(.*\) \(.*\) b$/)
    expect(failure).toBe('section_failed;component=1, section_failed;component=2')
  })

  test('in a section fails the section', async () => {
    const { shown, failure, errors } = await open(() => [
      section('S', () => [one('a'), [Promise.reject(new Error('down'))]]),
      one('b'),
    ])
    expect(shown).toMatch(/^S\(.*\) b$/)
    expect([failure, errors[0]?.message]).toEqual(['section_failed;component=0', 'down'])
  })

  test('in time ends a promise in a section at the timeout of the section', async () => {
    const { shown, failure } = await open(() => [
      section('S', () => [[neverResolves()]], { timeoutMs: 20 }),
      one('b'),
    ])
    expect(shown).toMatch(/^S\(.*\) b$/)
    expect(failure).toBe('section_timeout;component=0')
  })

  test('in time ends a promise in a promise at the timeout of the app', async () => {
    const slow = () => [Promise.resolve([one('a'), [neverResolves()]]), one('b')]
    const { shown, failure } = await open(slow, { timeoutMs: 50 })
    expect(shown).toMatch(/^a \(.*\) b$/)
    expect(failure).toBe('section_timeout;component=1')
  })
})

const inCard = (child: unknown) => ({ type: 'card', components: [child] })

test.each<[string, () => unknown, string]>([
  [
    'a section in a section',
    () => [section('S', () => [one('a'), section('T', () => []) as never])],
    'components[1]: is a section, which renders as a card. Return it from fetchData next to the cards',
  ],
  [
    'a card in a section',
    () => [section('S', () => [[card({ components: [] }) as never]])],
    'components[0].type: is a card, which a card cannot contain',
  ],
  [
    'a section in a card',
    () => [inCard(section('S', () => []))],
    'components[0].components[0]: is a section, which renders as a card',
  ],
  [
    'a promise in a card',
    () => [one('a'), inCard(Promise.resolve(one('b')))],
    'components[1].components[0]: is a promise: await it',
  ],
  ['a number', () => [one('a'), [7]], 'components[1]: must be an object, got a number'],
  [
    'a number in a promise',
    () => [Promise.resolve([one('a'), 7])],
    'components[1]: must be an object',
  ],
])('says where %s is, and why it cannot be shown', async (_, fetchData, message) => {
  const { errors } = await open(fetchData)
  expect(errors[0]?.message).toContain(message)
})

test.each<[string, () => unknown, string]>([
  [
    'a section in card()',
    () => card({ components: [section('S', () => []) as never] }),
    'components[0]: is a section, which renders as a card',
  ],
  [
    'a promise in card()',
    () => card({ components: [Promise.resolve(divider()) as never] }),
    'components[0]: is a promise: await it',
  ],
])('rejects %s at the call', (_, build, message) => {
  expect(build).toThrow(message)
})

test('payload() reports a wrong component, and no promise next to it', () => {
  const components = [Promise.reject(new Error('consumed')), section('S', () => []), 7 as never]
  const build = () => payload({ header: { title: 'a' }, components })
  expect(build).toThrow(/^payload\(\): components\[2\]: must be an object, got a number\. [^\n]*$/)
})

test('counts the components before the place of a component in a later array', async () => {
  const ten = Array.from({ length: 10 }, () => one('x'))
  const { errors } = await open(() => [one('a'), section('S', () => []), ...ten, 7])
  expect(errors[0]?.message).toContain('components[12]: must be an object, got a number')
})

test('too many components are one failure, even if one of them is invalid', async () => {
  const many = Array.from({ length: 11 }, () => one('x'))
  const { failure, errors } = await open(() => [7, ...many], { limits: { maxComponents: 10 } })
  expect([failure, errors]).toEqual([
    'payload_too_large',
    [expect.objectContaining({ code: 'payload_too_large', issues: [] })],
  ])
})

test('sections of a promise do not start if a component next to them is invalid', async () => {
  let calls = 0
  await open(() => [Promise.resolve([section('S', () => ((calls += 1), [])), 7])])
  expect(calls).toBe(0)
})

test('promises that contain each other end in a failure', async () => {
  const endless: any = {
    // oxlint-disable-next-line unicorn/no-thenable -- a promise of itself
    then: ((resolve: (value: any) => void) => resolve([endless])) as never,
  }
  const { failure } = await open(() => [one('a'), endless])
  expect(failure).toBe('section_failed;component=1')
  const inSection = await open(() => [section('S', () => [endless as never])])
  expect(inSection.failure).toBe('section_failed;component=0')
})

test.each<[string, (deep: unknown) => unknown, (shown: string) => string]>([
  ['in fetchData', (deep) => [deep], (shown) => shown],
  ['in a section', (deep) => [section('S', () => deep as never)], (shown) => `S(${shown})`],
])('promises are awaited down to 33 levels, %s', async (_, fetchData, inPlace) => {
  const nest = (levels: number) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => Promise.resolve([inner]), one('a'))
  const { shown, failure } = await open(() => fetchData([nest(33)]))
  expect([shown, failure]).toEqual([inPlace('a'), null])
  const tooDeep = await open(() => fetchData([nest(34)]))
  expect(tooDeep.failure).toBe('section_failed;component=0')
  expect(tooDeep.errors[0]?.message).toContain('components[0]: is a promise')
})

test('the limits count the children of all promises', async () => {
  const many = (count: number) => Array.from({ length: count }, () => divider())
  const { failure } = await open(() => [Promise.resolve([many(6), Promise.resolve(many(6))])], {
    limits: { maxComponents: 10 },
  })
  expect(failure).toMatch(/payload_too_large|section_failed/)
  const sections = () => Promise.resolve(Array.from({ length: 6 }, () => section('S', () => [])))
  const { errors } = await open(() => [sections(), sections()], { limits: { maxComponents: 10 } })
  expect(errors[0]?.message).toContain('exceeds 10 components')
})

test('an array with millions of entries in promises is rejected early', async () => {
  const array = [] as unknown[]
  array.length = 60_000
  const { errors } = await open(() => [Promise.resolve(array), Promise.resolve([array])])
  expect(errors[0]?.message).toContain('100000 entries')
})

test('a context helper may return children', async () => {
  const children = async (hasBadge: boolean): Promise<Child[]> => [
    hasBadge && badge({ label: 'VIP', items: [] }),
    [section('S', () => one('x'))],
  ]
  const app = sidecard({
    header: { title: 'a' },
    auth: { authenticate: () => 'granted' },
    fetchData: () => [children(true), children(false)],
  })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(show(components)).toBe('VIP S(x) S(x)')
})

test.each([
  ['in fetchData', (deep: unknown) => [deep]],
  ['in a section', (deep: unknown) => [section('S', () => [deep as never])]],
])('an array that is too deep is reported at its place, %s', async (_, fetchData) => {
  const deep = Array.from({ length: 200 }).reduce<unknown>((inner) => [inner], one('a'))
  const { errors } = await open(() => fetchData(deep))
  expect(errors[0]?.message).toMatch(/components\[0\]: must be an object, got an array/)
})

test('a payload without a version has its own issue', async () => {
  const { errors } = await open(() => ({ header: { title: 'a' }, components: [] }))
  expect(errors[0]?.message).toContain('version')
  expect(errors[0]?.message).not.toContain('another version')
})
