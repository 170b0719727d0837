import { afterEach, expect, test, vi } from 'vitest'
import { answerStore, type AnswerPlace, memoryCache, secretHeader, text } from 'sidecard'
import { FETCH_DATA, makeApp, never, payloadOf, recordingLogger } from '../helpers/app.ts'
import { recordingStore, settled } from '../helpers/cache.ts'

afterEach(() => vi.restoreAllMocks())

const value = async (response: Response) => (await payloadOf(response)).components[0].value

function counting(options: Parameters<typeof makeApp>[0] = {}) {
  const calls = { count: 0 }
  const app = makeApp({
    fetchData: () => [text({ label: 'Call', value: String((calls.count += 1)) })],
    ...options,
  })
  return { app, calls }
}

const VALID = JSON.stringify({
  version: '1.0.0',
  header: { title: 'Test' },
  components: [{ type: 'text', label: 'Plan', value: 'from the store' }],
})

test.each<[string, unknown]>([
  ['a text', 'poison'],
  ['a number', 7],
  ['an array', []],
  ['an empty object', {}],
  ['JSON that is cut off', { json: '{"version":"1.0.0"', storedAtMs: Date.now() }],
  ['JSON of null', { json: 'null', storedAtMs: Date.now() }],
  ['JSON of no payload', { json: '{"html":"<b>"}', storedAtMs: Date.now() }],
  [
    'a payload with a javascript: link',
    {
      json: JSON.stringify({
        version: '1.0.0',
        header: { title: 'Test' },
        components: [{ type: 'link', label: 'Open', url: 'javascript:alert(1)' }],
      }),
      storedAtMs: Date.now(),
    },
  ],
  ['an unknown field', { json: VALID.replace('"label"', '"style"'), storedAtMs: Date.now() }],
  ['bytes for JSON', { json: new Uint8Array(3), storedAtMs: Date.now() }],
  ['no time', { json: VALID }],
  ['a time that is no number', { json: VALID, storedAtMs: 'now' }],
  ['NaN for a time', { json: VALID, storedAtMs: Number.NaN }],
  ['a time far ahead', { json: VALID, storedAtMs: Date.now() + 3_600_000 }],
  ['an endless time', { json: VALID, storedAtMs: Number.POSITIVE_INFINITY }],
  ['more bytes than any answer', { json: ' '.repeat(300_000) + VALID, storedAtMs: Date.now() }],
  [
    'a getter that throws',
    {
      get json() {
        throw new Error('gotcha')
      },
    },
  ],
])('asks fetchData, and warns, where the store holds %s', async (_, entry) => {
  const logger = recordingLogger()
  const store = answerStore({ get: async () => entry as never, set: () => undefined })
  const { app } = counting({ logger, cache: { ttlSeconds: 60, store } })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-cache')).toBe('miss')
  expect(await value(response)).toBe('1')
  expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { fields: { problem: 'invalid_entry' } },
  ])
})

test('serves what a store gives back only as it was checked and written anew', async () => {
  const entry = { json: ` ${VALID.replaceAll(':', ' : ')}`, storedAtMs: Date.now() }
  const store = answerStore({ get: async () => entry, set: () => undefined })
  const { app } = counting({ cache: { ttlSeconds: 60, store } })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-cache')).toBe('hit')
  expect(await response.text()).toBe(VALID.replace('1 : 0', '1:0'))
})

test.each<[string, AnswerPlace]>([
  [
    'throws at once',
    {
      get() {
        throw new Error('get')
      },
      set() {
        throw new Error('set')
      },
    },
  ],
  ['rejects', { get: () => Promise.reject('get'), set: () => Promise.reject('set') }],
  ['hangs', { get: never, set: never }],
])('asks fetchData where the store %s', async (_, place) => {
  const logger = recordingLogger()
  const { app, calls } = counting({
    logger,
    cache: { ttlSeconds: 60, store: answerStore(place), storeTimeoutMs: 20 },
  })
  expect(await value(await app.request(FETCH_DATA))).toBe('1')
  await vi.waitFor(() => expect(logger.lines.length).toBe(3), 3_000)
  expect(await value(await app.request(FETCH_DATA))).toBe('2')
  expect(calls.count).toBe(2)
  expect(JSON.stringify(logger.lines)).not.toMatch(/jane|account-1/)
})

test('asks fetchData where no store can be made of the environment', async () => {
  const logger = recordingLogger()
  const store = () => {
    throw new TypeError('no binding')
  }
  const { app } = counting({ logger, cache: { ttlSeconds: 60, store: answerStore(store) } })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-cache')).toBeNull()
  expect(await value(response)).toBe('1')
  expect(logger.lines[0]).toMatchObject({ fields: { problem: 'cache_unusable' } })
})

test('keeps no answer with a fault, of whatever kind', async () => {
  const store = recordingStore()
  const faults = [
    () => Promise.reject(new Error('down')),
    never,
    () => [{ type: 'text', label: 'Plan' } as never],
    () => [text({ label: 'Plan', value: 'Pro' }), Promise.reject(new Error('part'))],
    () => Array.from({ length: 1_001 }, () => text({ label: 'a', value: 'b' })),
  ]
  for (const fetchData of faults) {
    const { app } = counting({ fetchData, timeoutMs: 20, cache: { ttlSeconds: 60, store } })
    const response = await app.request(FETCH_DATA)
    expect(response.headers.get('x-sidecard-fault')).not.toBeNull()
  }
  const { app } = counting({
    fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
    cache: { ttlSeconds: 60, store },
  })
  await app.request('/?request_type=fetch_data&issue_id=1')
  const replaced = makeApp({
    fetchData: () => Promise.reject(new Error('down')),
    onError: () => [text({ label: 'Plan', value: 'a stand-in' })],
    cache: { ttlSeconds: 60, store },
  })
  await replaced.request(FETCH_DATA)
  await settled()
  expect(store.entries.size).toBe(0)
})

test('asks for the secret before it looks anything up', async () => {
  const store = recordingStore()
  const get = vi.spyOn(store.place, 'get')
  const { app, calls } = counting({
    auth: secretHeader('x-secret', 's3cret'),
    cache: { ttlSeconds: 60, store },
  })
  const headers = { 'x-secret': 's3cret' }
  expect((await app.request(FETCH_DATA, { headers })).status).toBe(200)
  await settled()
  expect((await app.request(FETCH_DATA)).status).toBe(401)
  expect((await app.request(FETCH_DATA, { headers: { 'x-secret': 'wrong' } })).status).toBe(401)
  expect(get).toHaveBeenCalledTimes(1)
  expect(calls.count).toBe(1)
})

test('never keeps a handshake', async () => {
  const store = recordingStore()
  const { app } = counting({ cache: { ttlSeconds: 60, store } })
  for (const code of ['a', 'b']) {
    const response = await app.request(`/?request_type=verify&code=${code}`)
    expect(await response.json()).toEqual({ code })
  }
  expect(store.entries.size).toBe(0)
})

test('still says no-store, whatever it keeps itself', async () => {
  const { app } = counting({ cache: { ttlSeconds: 60, store: memoryCache() } })
  for (const cache of ['miss', 'hit']) {
    const { headers } = await app.request(FETCH_DATA)
    expect(headers.get('x-sidecard-cache')).toBe(cache)
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('a kept entry cannot be changed behind the cache', async () => {
  const store = recordingStore()
  const { app } = counting({ cache: { ttlSeconds: 60, store } })
  await app.request(FETCH_DATA)
  await settled()
  const [entry] = store.entries.values()
  expect(() => Object.assign(entry!, { json: '"<b>"' })).toThrow(TypeError)
})

const store = memoryCache()

test.each([
  { ttlSeconds: 0, store },
  { ttlSeconds: -1, store },
  { ttlSeconds: Number.NaN, store },
  { ttlSeconds: '60' as never, store },
  { store } as never,
  { ttlSeconds: 60, store, staleSeconds: -1 },
  { ttlSeconds: 60, store, staleSeconds: Number.POSITIVE_INFINITY },
  { ttlSeconds: 60 } as never,
  { ttlSeconds: 60, store: {} as never },
  { ttlSeconds: 60, store: { get() {}, set() {} } as never },
  { ttlSeconds: 60, store: null as never },
  { ttlSeconds: 60, store, key: 'account_id' as never },
  { ttlSeconds: 60, store, storeTimeoutMs: 0 },
  { ttlSeconds: 60, store, storeTimeoutMs: 2 ** 31 },
])('refuses the options %#, with their name, when the app is made', (cache) => {
  expect(() => makeApp({ cache })).toThrow(/^sidecard: cache\.\w+ must be/)
})
