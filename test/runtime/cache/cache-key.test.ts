import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { FETCH_DATA_PARAMETERS } from '../../../src/runtime/contract/parameters.ts'
import {
  fetchPayload,
  fetchSection,
  createGate,
  createMapStore,
  createNumberedSource,
  type Ids,
  uniqueName,
} from '../../helpers/cache.ts'

/** Typical separators of hand-built keys. */
const FRAGMENTS = [
  'a',
  '',
  ',',
  ':',
  '/',
  '|',
  '"',
  '\\',
  '\0',
  '\n',
  '[',
  ']',
  'null',
  '%',
  ' ',
  '&',
  '=',
]

const EDGE_CASE = fc
  .array(fc.constantFrom(...FRAGMENTS, '\u2028', 'é', '🙂', '\ud800', '\udc00'), { maxLength: 4 })
  .map((parts) => parts.join(''))

const IDS = fc
  .tuple(...FETCH_DATA_PARAMETERS.map(() => EDGE_CASE))
  .map((values): Ids =>
    Object.fromEntries(FETCH_DATA_PARAMETERS.map((name, i) => [name, values[i]])),
  )

test('requests with different IDs never share a payload, even if the IDs contain separators', async () => {
  const cache = payloadCache({ store: memoryStore({ maxEntries: 50_000 }), ttlSeconds: 60 })
  await fc.assert(
    fc.asyncProperty(IDS, async (ids) => {
      // A URL cannot contain an unpaired surrogate.
      const arrived = JSON.parse(JSON.stringify(ids).toWellFormed()) as Ids
      // Without an organization, nothing is cached.
      arrived.organization_id = `o${arrived.organization_id?.replaceAll('null', '')}`
      const own = JSON.stringify(arrived)
      const load = async () => own
      expect((await fetchPayload(cache, { ids: arrived, load })).text.slice(4).trim()).toBe(own)
      expect((await fetchPayload(cache, { ids: arrived, load })).text).toBe(`hit ${own}`)
    }),
    { numRuns: 1_000 },
  )
})

test('each of the seven IDs, the URL and the name of the app are part of the key', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const requests = [
    {},
    ...FETCH_DATA_PARAMETERS.map((name) => ({ ids: { [name]: 'x' } })),
    { url: 'https://app.example/other' },
    { app: 'Other' },
    { app: 'Other', url: 'https://app.example/other' },
    { url: 'https://app.example/?tenant=1' },
    { url: 'https://app.example/?tenant=2' },
  ]
  for (const [index, request] of requests.entries()) {
    expect((await fetchPayload(cache, { ...request, load })).text).toBe(`miss {"n":${index + 1}}`)
  }
  for (const [index, request] of requests.entries()) {
    expect((await fetchPayload(cache, { ...request, load })).text).toBe(`hit {"n":${index + 1}}`)
  }
})

test('the option key replaces the IDs but not the URL and the app', async () => {
  const cache = payloadCache({
    store: memoryStore(),
    ttlSeconds: 60,
    key: ({ params }) => [params.account_id],
  })
  const { load } = createNumberedSource()
  const ask = async (ids: Ids, url?: string) =>
    (await fetchPayload(cache, { ids, load, ...(url !== undefined && { url }) })).text
  expect(await ask({ account_id: 'a', issue_id: '1' })).toBe('miss {"n":1}')
  expect(await ask({ account_id: 'a', issue_id: '2' })).toBe('hit {"n":1}')
  expect(await ask({ account_id: 'b', issue_id: '1' })).toBe('miss {"n":2}')
  expect(await ask({ account_id: 'a' }, 'https://other.example/')).toBe('miss {"n":3}')
  const other = await fetchPayload(cache, { app: 'Other', ids: { account_id: 'a' }, load })
  expect(other.text).toBe('miss {"n":4}')
})

test('a custom key with seven parts differs from the default key', async () => {
  const store = memoryStore()
  const ids = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, 'x']))
  const { load } = createNumberedSource()
  await fetchPayload(payloadCache({ store, ttlSeconds: 60 }), { ids, load })
  const keyed = payloadCache({ store, ttlSeconds: 60, key: () => Array(7).fill('x') as string[] })
  expect((await fetchPayload(keyed, { ids, load })).text).toBe('miss {"n":2}')
})

test('key returns undefined to keep a payload out of the cache', async () => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 60, key: () => undefined })
  const { text, scope } = await fetchPayload(cache, createNumberedSource())
  expect(text).toBe('miss {"n":1}')
  await scope.finish()
  expect([scope.spans, scope.warnings, store.values.size]).toEqual([[], [], 0])
})

const LIST = 'key must be an array of 1 to 100 parts.'
const PART = 'key[0] must be a string, a finite number, a bigint or a boolean.'

test.each<[string, () => unknown, unknown]>([
  ['returns a promise', async () => ['a'], 'key is a promise: await it.'],
  [
    'returns a promise that rejects',
    () => Promise.reject(new Error('late')),
    'key is a promise: await it.',
  ],
  [
    'returns an array with a promise',
    () => [Promise.resolve('a')],
    'key[0] is a promise: await it.',
  ],
  [
    'returns an array with a promise that rejects',
    () => [Promise.reject(new Error('late'))],
    'key[0] is a promise: await it.',
  ],
  ['returns a string', () => 'account-1', LIST],
  ['returns null', () => null, LIST],
  ['returns a Map', () => new Map([['a', 'b']]), LIST],
  ['returns an array of objects', () => [{ id: 1 }], PART],
  [
    'returns an object with a promise that rejects',
    () => [{ id: Promise.reject(new Error('late')) }],
    PART,
  ],
  ['returns an infinity', () => [Infinity], PART],
  ['returns an empty array', () => [], LIST],
  ['returns a function', () => [() => 'a'], PART],
  ['returns a symbol', () => [Symbol('a')], PART],
  ['returns an object in the second place', () => ['a', {}], PART.replace('0', '1')],
  ['returns 101 parts', () => Array(101).fill('a'), LIST],
  ['returns three million holes', () => Array(3_000_000), LIST],
  [
    'returns 64 KiB',
    // Four more for the brackets and the quotation marks.
    () => ['a'.repeat(65_533)],
    'key must be at most 65536 characters of JSON.',
  ],
  [
    'returns an array that throws',
    () => new Proxy(['a'], { get: () => { throw new Error('trap') } }), // prettier-ignore
    'trap',
  ],
  ['throws', () => { throw new Error('key') }, 'key'], // prettier-ignore
  ['throws undefined', () => { throw undefined }, undefined], // prettier-ignore
])('a key that %s costs the cache, with one warning', async (_, key, message) => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 60, key: key as never })
  const section = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  const { text, scope } = await fetchPayload(cache, createNumberedSource())
  expect(text).toBe('miss {"n":1}')
  await scope.finish()
  const expectWarning = (warnings: object, caller: string) => {
    const isOwn = typeof message === 'string' && /^key\W/.test(message)
    const expected = isOwn ? `${caller}: ${message}` : message
    expect(warnings).toMatchObject([
      {
        problem: 'invalid_cache_key',
        error: message === undefined ? undefined : { message: expected },
      },
    ])
  }
  expectWarning(scope.warnings, 'payloadCache')
  expect(store.values.size).toBe(0)
  let parts: unknown
  try {
    parts = key()
  } catch {
    return
  }
  const shown = await fetchSection(section, { key: parts as never, load: async () => '[1]' })
  expect(shown.text).toBe('miss [1]')
  expectWarning(shown.scope.warnings, 'section')
})

test.each<[string, () => unknown]>([
  ['100 parts', () => Array(100).fill('a')],
  ['64 KiB', () => ['a'.repeat(65_532)]],
])('a key of %s is used', async (_, key) => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, key: key as never })
  const source = createNumberedSource()
  await fetchPayload(cache, source)
  const { text, scope } = await fetchPayload(cache, source)
  expect([text, scope.warnings]).toEqual(['hit {"n":1}', []])
})

test('parts of different types never make the same key', async () => {
  let parts: unknown[] = []
  const key = () => parts as never
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, key })
  const source = createNumberedSource()
  const ask = async (wanted: unknown[]) => {
    parts = wanted
    const { text, scope } = await fetchPayload(cache, source)
    expect(scope.warnings).toEqual([])
    return text
  }
  const keys = [
    [1],
    ['1'],
    [1n],
    [2n],
    ['["1"]'],
    [true],
    ['true'],
    [0],
    [0n],
    [false],
    ['a', 'b'],
    ['ab'],
    ['a,b'],
  ]
  for (const [index, wanted] of keys.entries()) {
    expect(await ask(wanted)).toBe(`miss {"n":${index + 1}}`)
  }
  for (const [index, wanted] of keys.entries()) {
    expect(await ask(wanted)).toBe(`hit {"n":${index + 1}}`)
  }
})

test('stores see only sidecard: and a SHA-256', async () => {
  const { values, ...store } = createMapStore()
  const ids = { account_id: '長'.repeat(400), requester_email: 'jane@example.com' }
  const { scope } = await fetchPayload(payloadCache({ store, ttlSeconds: 60 }), {
    ...createNumberedSource(),
    ids,
  })
  await scope.finish()
  for (const [key, value] of values) {
    expect(key).toMatch(/^sidecard:[0-9a-f]{64}$/)
    expect(value).not.toMatch(/jane|長/)
  }
  expect(values.size).toBe(1)
})

test('two sections, or two organizations, with the same key do not share content', async () => {
  const store = memoryStore()
  const names = [uniqueName(), uniqueName()]
  const sections = names.map((name) => sectionCache({ name, store, ttlSeconds: 60 }))
  const requests = ['org-1', 'org-2'].flatMap((organization_id) =>
    ['https://app.example/', 'https://app.example/b'].flatMap((url) =>
      sections.map((cache) => ({ cache, url, ids: { organization_id } })),
    ),
  )
  for (const [index, { cache, ...request }] of requests.entries()) {
    await fetchSection(cache, { ...request, key: ['a'], load: async () => `[${index}]` })
  }
  for (const [index, { cache, ...request }] of requests.entries()) {
    const { text } = await fetchSection(cache, { ...request, key: ['a'], load: async () => 'no' })
    expect(text).toBe(`hit [${index}]`)
  }
})

test('a section is shared by the issues and customers of an organization with the same key', async () => {
  const cache = sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60 })
  const ask = (issue_id: string) =>
    fetchSection(cache, { ids: { organization_id: 'o', issue_id }, load: async () => issue_id })
  expect((await ask('1')).text).toBe('miss 1')
  expect((await ask('2')).text).toBe('hit 1')
})

test.each([
  ['memory', () => memoryStore()],
  ['an outside store', () => createMapStore()],
  ['a function that returns one store for all', () => { const one = createMapStore(); return () => one }], // prettier-ignore
  ['a function that makes a store for each', () => () => createMapStore()],
  ['a function that returns a promise', () => async () => createMapStore()],
])('two environments never share a payload or a pending call: %s', async (_, createStore) => {
  const cache = payloadCache({ store: createStore() as never, ttlSeconds: 60 })
  const section = sectionCache({
    name: uniqueName(),
    store: createStore() as never,
    ttlSeconds: 60,
  })
  const environments = [{ NAME: 'one' }, { NAME: 'two' }, { NAME: 'two' }, undefined]
  const gate = createGate()
  const ask = (env: unknown, own: string) =>
    fetchPayload(cache, { env, load: async () => (await gate.opened, own) })
  const pending = environments.map((env, index) => ask(env, `[${index}]`))
  const sections = environments.map((env, index) =>
    fetchSection(section, { env, load: async () => (await gate.opened, `[${index}]`) }),
  )
  gate.open()
  for (const [index, { text, scope }] of (await Promise.all(pending)).entries()) {
    await scope.finish()
    expect(text).toBe(`miss [${index}]`)
  }
  for (const { scope } of await Promise.all(sections)) await scope.finish()
  for (const [index, env] of environments.entries()) {
    expect((await ask(env, 'other')).text).toBe(`hit [${index}]`)
    const { text } = await fetchSection(section, { env, load: async () => 'other' })
    expect(text).toBe(`hit [${index}]`)
  }
})

test('two apps in two environments do not share entries of one memory store', async () => {
  const store = memoryStore()
  const { load } = createNumberedSource()
  const ask = async (env: object) =>
    (await fetchPayload(payloadCache({ store, ttlSeconds: 60 }), { env, load })).text
  const [one, two] = [{}, {}]
  expect([await ask(one), await ask(two), await ask(one)]).toEqual([
    'miss {"n":1}',
    'miss {"n":2}',
    'hit {"n":1}',
  ])
})

test('a function of the bindings is called once for each environment', async () => {
  const calls: unknown[] = []
  const cache = payloadCache({
    ttlSeconds: 60,
    store: (env: object) => {
      calls.push(env)
      return memoryStore()
    },
  })
  const [one, two] = [{}, {}]
  const source = createNumberedSource()
  for (const env of [one, two, one, two]) await fetchPayload(cache as never, { ...source, env })
  expect(calls).toEqual([one, two])
})

test('a key that throws a promise that rejects leaves no rejection unhandled', async () => {
  const key = () => {
    // oxlint-disable-next-line no-throw-literal -- user code can throw anything
    throw { pending: Promise.reject(new Error('late')) }
  }
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, key })
  // Vitest fails the run for an unhandled rejection.
  expect((await fetchPayload(cache, createNumberedSource())).text).toBe('miss {"n":1}')
  await new Promise((resolve) => setTimeout(resolve))
})
