import { expect, test } from 'vitest'
import { memoryStore, sectionCache } from 'sidecard/cache'
import {
  createCache,
  createGate,
  createMapStore,
  createNumberedSource,
  fetchContent,
  fetchSection,
  uniqueName,
} from '../../helpers/cache.ts'

const LIST = 'key must be an array of at most 100 parts.'
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
])('a key that %s costs the cache, with one warning', async (_, createKey, message) => {
  const store = createMapStore()
  const cache = createCache({ store, ttlSeconds: 60 })
  const key = createKey() as never
  const { text, scope } = await fetchSection(cache, { key, load: async () => '[1]' })
  await scope.finish()
  const isOwn = typeof message === 'string' && /^key\W/.test(message)
  const error = { message: isOwn ? `section: ${message}` : message }
  expect(scope.warnings).toMatchObject([{ problem: 'invalid_cache_key', error }])
  expect([text, store.values.size]).toEqual(['miss [1]', 0])
})

test.each<[string, () => unknown]>([
  ['100 parts', () => Array(100).fill('a')],
  ['64 KiB', () => ['a'.repeat(65_532)]],
])('a key of %s is used', async (_, key) => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  await fetchSection(cache, { key: key() as never, load })
  const { text, scope } = await fetchSection(cache, { key: key() as never, load })
  expect([text, scope.warnings]).toEqual(['hit {"n":1}', []])
})

test('parts of different types never make the same key', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const ask = async (key: unknown[]) => {
    const { text, scope } = await fetchSection(cache, { key, load })
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
  const { scope } = await fetchContent(createCache({ store, ttlSeconds: 60 }), {
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

test.each([
  ['memory', () => memoryStore()],
  ['an outside store', () => createMapStore()],
  ['a function that returns one store for all', () => { const one = createMapStore(); return () => one }], // prettier-ignore
  ['a function that makes a store for each', () => () => createMapStore()],
  ['a function that returns a promise', () => async () => createMapStore()],
])('two environments never share content or a pending call: %s', async (_, createStore) => {
  const cache = createCache({ store: createStore() as never, ttlSeconds: 60 })
  const environments = [{ NAME: 'one' }, { NAME: 'two' }, { NAME: 'two' }, undefined]
  const gate = createGate()
  const ask = (env: unknown, own: string) =>
    fetchContent(cache, { env, load: async () => (await gate.opened, own) })
  const pending = environments.map((env, index) => ask(env, `[${index}]`))
  gate.open()
  for (const [index, { text, scope }] of (await Promise.all(pending)).entries()) {
    await scope.finish()
    expect(text).toBe(`miss [${index}]`)
  }
  for (const [index, env] of environments.entries()) {
    expect((await ask(env, 'other')).text).toBe(`hit [${index}]`)
  }
})

test('two apps in two environments do not share entries of one memory store', async () => {
  const store = memoryStore()
  const { load } = createNumberedSource()
  const ask = async (env: object) =>
    (await fetchContent(createCache({ store, ttlSeconds: 60 }, 'of two apps'), { env, load })).text
  const [one, two] = [{}, {}]
  expect([await ask(one), await ask(two), await ask(one)]).toEqual([
    'miss {"n":1}',
    'miss {"n":2}',
    'hit {"n":1}',
  ])
})

test('a function of the bindings is called once for each environment', async () => {
  const calls: unknown[] = []
  const cache = createCache({
    ttlSeconds: 60,
    store: (env: object) => {
      calls.push(env)
      return memoryStore()
    },
  })
  const [one, two] = [{}, {}]
  const source = createNumberedSource()
  for (const env of [one, two, one, two]) await fetchContent(cache, { ...source, env })
  expect(calls).toEqual([one, two])
})
