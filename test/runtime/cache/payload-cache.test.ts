import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, payloadCache } from 'sidecard/cache'
import {
  fetchPayload,
  createGate,
  createMapStore,
  createNumberedSource,
  createScope,
  isEntryName,
} from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const STORES = [
  ['a store in memory', () => memoryStore()],
  ['a store outside of the process', () => createMapStore()],
] as const

test.each(STORES)('serves a payload until its TTL has passed, from %s', async (_, createStore) => {
  const cache = payloadCache({ store: createStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const ask = async () => (await fetchPayload(cache, { load })).text
  expect(await ask()).toBe('miss {"n":1}')
  expect(await ask()).toBe('hit {"n":1}')
  vi.setSystemTime(START + 60_000)
  expect(await ask()).toBe('hit {"n":1}')
  vi.setSystemTime(START + 60_001)
  expect(await ask()).toBe('miss {"n":2}')
})

test.each(STORES)(
  'serves a stale payload immediately and refreshes it once in the background, from %s',
  async (_, createStore) => {
    const cache = payloadCache({ store: createStore(), ttlSeconds: 60, staleSeconds: 30 })
    const source = createNumberedSource()
    const gate = createGate()
    const reasons: string[] = []
    const load = async (reason: string) => {
      reasons.push(reason)
      if (reason === 'refresh') await gate.opened
      return source.load()
    }
    await fetchPayload(cache, { load })
    vi.setSystemTime(START + 60_001)
    const stale = await Promise.all([1, 2, 3].map(() => fetchPayload(cache, { load })))
    expect(stale.map(({ text }) => text)).toEqual(Array(3).fill('stale {"n":1}'))
    gate.open()
    for (const { scope } of stale) await scope.finish()
    expect(reasons).toEqual(['miss', 'refresh'])
    expect((await fetchPayload(cache, { load })).text).toBe('hit {"n":2}')
  },
)

test('waits for fetchData if a payload has expired', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 30 })
  const { load } = createNumberedSource()
  await fetchPayload(cache, { load })
  vi.setSystemTime(START + 90_001)
  expect((await fetchPayload(cache, { load })).text).toBe('miss {"n":2}')
})

test('does not serve an expired payload while its refresh is running', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 30 })
  const source = createNumberedSource()
  const gate = createGate()
  const load = async () => {
    const json = await source.load()
    if (source.calls === 2) await gate.opened
    return json
  }
  await fetchPayload(cache, { load })
  vi.setSystemTime(START + 89_999)
  expect((await fetchPayload(cache, { load })).text).toBe('stale {"n":1}')
  vi.setSystemTime(START + 90_001)
  const waiting = fetchPayload(cache, { load })
  gate.open()
  expect((await waiting).text).toMatch(/^(?:miss|hit) \{"n":2\}$/)
  expect(source.calls).toBe(2)
})

test('keeps the stale payload after a failed refresh, and tries again', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 600 })
  const source = createNumberedSource()
  await fetchPayload(cache, source)
  vi.setSystemTime(START + 61_000)
  for (const load of [async () => undefined, () => Promise.reject(new Error('down'))]) {
    const { text, scope } = await fetchPayload(cache, { load })
    expect(text).toBe('stale {"n":1}')
    await scope.finish()
    vi.advanceTimersByTime(2_000)
  }
  const { scope } = await fetchPayload(cache, source)
  await scope.finish()
  expect((await fetchPayload(cache, source)).text).toBe('hit {"n":2}')
})

test('does not cache a result without an entry', async () => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 60 })
  const { text, scope } = await fetchPayload(cache, { load: async () => undefined })
  await scope.finish()
  expect(text).toBe('miss failed')
  expect(store.values.size).toBe(0)
  expect((await fetchPayload(cache, createNumberedSource())).text).toBe('miss {"n":1}')
})

test.each(STORES)(
  'a thousand concurrent misses share one call, with %s',
  async (_, createStore) => {
    const cache = payloadCache({ store: createStore(), ttlSeconds: 60 })
    const source = createNumberedSource()
    const texts = await Promise.all(
      Array.from({ length: 1_000 }, async () => (await fetchPayload(cache, source)).text),
    )
    expect(new Set(texts.map((text) => text.slice(4).trim()))).toEqual(new Set(['{"n":1}']))
    expect(source.calls).toBe(1)
  },
)

test('concurrent misses share one call even if some reads of the store are slow', async () => {
  const map = createMapStore()
  let reads = 0
  const store = {
    set: map.set,
    async get(key: string) {
      const value = await map.get(key)
      // The first read completes after everything else.
      if ((reads += 1) === 1) await new Promise((resolve) => setTimeout(resolve, 30))
      return value
    },
  }
  const cache = payloadCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const late = fetchPayload(cache, source)
  await Promise.all([fetchPayload(cache, source), late])
  expect(source.calls).toBe(1)
})

test('a miss joins a call that ended while its store was still being read', async () => {
  const late = createGate()
  const finished = createGate()
  let reads = 0
  const store = {
    async get(key: string) {
      if (!isEntryName(key)) return undefined
      if ((reads += 1) === 2) await late.opened
      return undefined
    },
    set: () => undefined,
  }
  const cache = payloadCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const first = fetchPayload(cache, { load: async () => (await finished.opened, source.load()) })
  await eventually(() => expect(reads).toBe(1))
  // After one more turn, the first read has ended and its call is running.
  await new Promise((resolve) => setTimeout(resolve, 1))
  const second = fetchPayload(cache, source)
  await eventually(() => expect(reads).toBe(2))
  finished.open()
  await (await first).scope.finish()
  late.open()
  expect((await second).text).toBe('miss {"n":1}')
})

test('a request during the write of a miss joins it', async () => {
  const gate = createGate()
  const store = { get: async () => undefined, set: () => gate.opened }
  const cache = payloadCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  await fetchPayload(cache, source)
  expect((await fetchPayload(cache, source)).text).toBe('miss {"n":1}')
  gate.open()
})

test('all callers of a failing call get its result, and the next one tries again', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  let calls = 0
  const failing = { load: () => Promise.reject(new Error(`down ${(calls += 1)}`)) }
  const results = await Promise.allSettled([
    fetchPayload(cache, failing),
    fetchPayload(cache, failing),
  ])
  for (const result of results) expect(result).toMatchObject({ reason: { message: 'down 1' } })
  expect((await fetchPayload(cache, createNumberedSource())).text).toBe('miss {"n":1}')
})

test('a call that the runtime ended delays others only until its timeout', async () => {
  vi.useRealTimers()
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, storeTimeoutMs: 1 })
  void fetchPayload(cache, { timeoutMs: 1, load: () => new Promise(() => undefined) })
  const source = createNumberedSource()
  expect((await fetchPayload(cache, { ...source, timeoutMs: 1 })).text).toBe('miss {"n":1}')
})

test('a call is joined until its timeout, the time for the store and a second have passed', async () => {
  const gate = createGate()
  const secondRead = createGate()
  let reads = 0
  const store = {
    get(key: string) {
      if (isEntryName(key) && (reads += 1) === 2) secondRead.open()
    },
    set() {},
  }
  const cache = payloadCache({ store: store as never, ttlSeconds: 60, storeTimeoutMs: 500 })
  const source = createNumberedSource()
  const ask = (started = createGate()) => {
    const load = async () => {
      started.open()
      const json = await source.load()
      await gate.opened
      return json
    }
    return { started: started.opened, answer: fetchPayload(cache, { timeoutMs: 20_000, load }) }
  }
  const first = ask()
  await first.started
  vi.setSystemTime(START + 21_499)
  const second = ask()
  await secondRead.opened
  // One more turn, so that it has joined the call.
  await new Promise((resolve) => setTimeout(resolve, 1))
  vi.setSystemTime(START + 21_500)
  const third = ask()
  await third.started
  gate.open()
  const results = await Promise.all([first, second, third].map(({ answer }) => answer))
  expect(results.map(({ text }) => text)).toEqual(['miss {"n":1}', 'miss {"n":1}', 'miss {"n":2}'])
})

test('leaves no timer behind', async () => {
  vi.useFakeTimers()
  const cache = payloadCache({ store: createMapStore(), ttlSeconds: 60 })
  const { scope } = await fetchPayload(cache, createNumberedSource())
  await scope.finish()
  expect(vi.getTimerCount()).toBe(0)
})

test('keeps the runtime alive until the payload is stored', async () => {
  const gate = createGate()
  const map = createMapStore()
  const store = {
    get: map.get,
    async set(...args: Parameters<typeof map.set>) {
      await gate.opened
      return map.set(...args)
    },
  }
  const { scope } = await fetchPayload(
    payloadCache({ store, ttlSeconds: 60 }),
    createNumberedSource(),
  )
  expect(map.values.size).toBe(0)
  const finished = scope.finish()
  gate.open()
  await finished
  expect(map.values.size).toBe(1)
})

test('passes the lifetime of an entry to the store, and wraps each access in a span', async () => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 0.5, staleSeconds: 100 })
  const { scope } = await fetchPayload(cache, createNumberedSource())
  await scope.finish()
  expect(store.ttls).toEqual([100.5])
  expect(scope.spans).toEqual(['store.get', 'store.set'])
})

test('tolerates only small clock skew', async () => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  await (await fetchPayload(cache, source)).scope.finish()
  vi.setSystemTime(START - 4_000)
  expect((await fetchPayload(cache, source)).text).toBe('hit {"n":1}')
  vi.setSystemTime(START - 6_000)
  const { text, scope } = await fetchPayload(cache, source)
  expect(text).toBe('miss {"n":2}')
  expect(scope.warnings).toMatchObject([{ problem: 'invalid_entry' }])
})

test('returns the details that were stored with the payload', async () => {
  const cache = payloadCache({ store: createMapStore(), ttlSeconds: 60 })
  const entry = {
    json: '{"a":\n"\\n"}',
    componentCount: 3,
    match: { via: 'requester_email', unmatched: ['account_id'] },
    sections: ['Orders\n', '{'],
  } as const
  const fetch = (ctx = createScope()) =>
    cache.fetch({ ctx, encode: () => entry.json, load: async () => entry })
  const scope = createScope()
  await fetch(scope)
  await scope.finish()
  expect(await fetch()).toEqual({ ...entry, cache: 'hit' })
})

test('a payload that must not be cached costs no access to the store, and no warning', async () => {
  const cache = payloadCache({ store: createMapStore(), ttlSeconds: 60 })
  const { scope } = await fetchPayload(cache, { load: async () => undefined })
  await scope.finish()
  expect([scope.spans, scope.warnings]).toEqual([['store.get'], []])
})

test('works without bindings', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60 })
  const source = createNumberedSource()
  const texts: string[] = []
  for (const env of [null, undefined])
    texts.push((await fetchPayload(cache, { ...source, env })).text)
  expect(texts).toEqual(['miss {"n":1}', 'hit {"n":1}'])
})

test('two processes, each with its own bindings, share what is in an outside store', async () => {
  const { values } = createMapStore()
  const source = createNumberedSource()
  const texts: string[] = []
  for (const env of [{ NAME: 'billing' }, { NAME: 'billing' }]) {
    const store = {
      get: (key: string) => values.get(key),
      set: (key: string, value: string) => values.set(key, value),
    }
    const cache = payloadCache({ store, ttlSeconds: 60 })
    const { text, scope } = await fetchPayload(cache, { ...source, env })
    await scope.finish()
    texts.push(text)
  }
  expect(texts).toEqual(['miss {"n":1}', 'hit {"n":1}'])
})
