import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore } from 'sidecard/cache'
import {
  createCache,
  createGate,
  createMapStore,
  createNumberedSource,
  fetchContent,
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

test.each(STORES)('serves content until its TTL has passed, from %s', async (_, createStore) => {
  const cache = createCache({ store: createStore(), ttlSeconds: 60 })
  const { load } = createNumberedSource()
  const ask = async () => (await fetchContent(cache, { load })).text
  expect(await ask()).toBe('miss {"n":1}')
  expect(await ask()).toBe('hit {"n":1}')
  vi.setSystemTime(START + 60_000)
  expect(await ask()).toBe('hit {"n":1}')
  vi.setSystemTime(START + 60_001)
  expect(await ask()).toBe('miss {"n":2}')
})

test.each(STORES)('an entry is as old as the start of its load, in %s', async (_, createStore) => {
  const cache = createCache({ store: createStore(), ttlSeconds: 60 })
  const source = createNumberedSource()
  const load = () => (vi.advanceTimersByTime(50_000), source.load())
  await (await fetchContent(cache, { load })).scope.finish()
  vi.setSystemTime(START + 60_001)
  expect((await fetchContent(cache, source)).text).toBe('miss {"n":2}')
})

test('waits for the load if content has expired', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 30 })
  const { load } = createNumberedSource()
  await fetchContent(cache, { load })
  vi.setSystemTime(START + 90_001)
  expect((await fetchContent(cache, { load })).text).toBe('miss {"n":2}')
})

test.each(STORES)(
  'a thousand concurrent misses share one call, with %s',
  async (_, createStore) => {
    const cache = createCache({ store: createStore(), ttlSeconds: 60 })
    const source = createNumberedSource()
    const texts = await Promise.all(
      Array.from({ length: 1_000 }, async () => (await fetchContent(cache, source)).text),
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
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const late = fetchContent(cache, source)
  const results = await Promise.all([fetchContent(cache, source), late])
  for (const { scope } of results) await scope.finish()
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
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const first = fetchContent(cache, { load: async () => (await finished.opened, source.load()) })
  await eventually(() => expect(reads).toBe(1))
  // After one more turn, the first read has ended and its call is running.
  await new Promise((resolve) => setTimeout(resolve, 1))
  const second = fetchContent(cache, source)
  await eventually(() => expect(reads).toBe(2))
  finished.open()
  await (await first).scope.finish()
  late.open()
  expect((await second).text).toBe('miss {"n":1}')
})

test('a request during the write of a miss joins it', async () => {
  const gate = createGate()
  const store = { get: async () => undefined, set: () => gate.opened }
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const first = await fetchContent(cache, source)
  expect((await fetchContent(cache, source)).text).toBe('miss {"n":1}')
  gate.open()
  await first.scope.finish()
})

test('a call that the runtime ended delays others only until its timeout', async () => {
  vi.useRealTimers()
  const cache = createCache({ store: memoryStore(), ttlSeconds: 60, storeTimeoutMs: 1 })
  void fetchContent(cache, { timeoutMs: 1, load: () => new Promise(() => undefined) })
  const source = createNumberedSource()
  expect((await fetchContent(cache, { ...source, timeoutMs: 10_000 })).text).toBe('miss {"n":1}')
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
  const cache = createCache({ store: store as never, ttlSeconds: 60, storeTimeoutMs: 500 })
  const source = createNumberedSource()
  const ask = (started = createGate()) => {
    const load = async () => {
      started.open()
      const json = await source.load()
      await gate.opened
      return json
    }
    return { started: started.opened, answer: fetchContent(cache, { timeoutMs: 20_000, load }) }
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
  for (const { scope } of results) await scope.finish()
  expect(results.map(({ text }) => text)).toEqual(['miss {"n":1}', 'miss {"n":1}', 'miss {"n":2}'])
})

test('leaves no timer behind', async () => {
  vi.useFakeTimers()
  const cache = createCache({ store: createMapStore(), ttlSeconds: 60 })
  const { scope } = await fetchContent(cache, createNumberedSource())
  await scope.finish()
  expect(vi.getTimerCount()).toBe(0)
})

test('keeps the runtime alive until the content is stored', async () => {
  const gate = createGate()
  const map = createMapStore()
  const store = {
    get: map.get,
    async set(...args: Parameters<typeof map.set>) {
      await gate.opened
      return map.set(...args)
    },
  }
  const { scope } = await fetchContent(
    createCache({ store, ttlSeconds: 60 }),
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
  const cache = createCache({ store, ttlSeconds: 0.5, staleSeconds: 100 })
  const { scope } = await fetchContent(cache, createNumberedSource())
  await scope.finish()
  expect(store.ttls).toEqual([100.5])
  expect(scope.spans).toEqual(['store.get', 'store.set'])
})
