import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { kvStore, memoryStore, payloadCache, sectionCache, type StoreAdapter } from 'sidecard/cache'
import {
  createGate,
  createMapStore,
  createScope,
  fetchPayload,
  fetchSection,
  isEntryName,
  uniqueName,
} from '../helpers/cache.ts'

const START = 1_800_000_000_000
const PAUSE_MS = 5_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Creates a process over a store: a payload cache of its own. `act()` makes its entry wrong. */
function createProcess(store: StoreAdapter) {
  const cache = payloadCache({ store, ttlSeconds: 600, storeTimeoutMs: 500 })
  const env = {}
  const scopes: ReturnType<typeof createScope>[] = []
  let cacheKey: string | undefined
  const open = async (load: () => Promise<string> = async () => '{"n":0}') => {
    const scope = createScope({ actions: true, env })
    scopes.push(scope)
    const result = await fetchPayload(cache, { scope, load })
    cacheKey = result.cacheKey
    await scope.finish()
    return result.text
  }
  const act = () => {
    const scope = createScope({ actions: true, env })
    scopes.push(scope)
    return cache.expire!(scope, cacheKey!)
  }
  const warnings = () => scopes.flatMap((scope) => scope.warnings.map(({ problem }) => problem))
  return { open, act, warnings, cache, env }
}

/** A store that can fail, by access. */
function createFragileStore() {
  const map = createMapStore()
  const down = { get: false, set: false }
  const check = (access: 'get' | 'set') => {
    if (down[access]) throw new Error('down')
  }
  const store: StoreAdapter = {
    get: async (name) => (check('get'), map.get(name)),
    set: async (name, value, ttl) => (check('set'), map.set(name, value, ttl)),
  }
  return { store, down, values: map.values }
}

const n = (value: number) => async () => `{"n":${value}}`

test('an event in one process counts in the others that share its store', async () => {
  const { store } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  expect([await one.open(n(1)), await two.open()]).toEqual(['miss {"n":1}', 'hit {"n":1}'])
  await one.act()
  expect(await two.open(n(2))).toBe('miss {"n":2}')
  expect([await one.open(), await two.open()]).toEqual(['hit {"n":2}', 'hit {"n":2}'])
})

test('content that an event made wrong is not written', async () => {
  const { store, values } = createFragileStore()
  const one = createProcess(store)
  await one.open(n(1))
  vi.advanceTimersByTime(601_000)
  const [started, gate] = [createGate(), createGate()]
  const loading = fetchPayload(one.cache, {
    scope: createScope({ actions: true, env: one.env }),
    load: async () => (started.open(), await gate.opened, '{"iban":"DE89"}'),
  })
  await started.opened
  await one.act()
  gate.open()
  const { text, scope } = await loading
  await scope.finish()
  expect(text).toBe('miss {"iban":"DE89"}')
  expect([...values.values()].join()).not.toContain('DE89')
})

test('during an outage, an event counts in its process, and in others once the store is back', async () => {
  const { store, down } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open(n(1))
  down.set = true
  await one.act()
  expect(one.warnings()).toEqual(['store_failed'])
  expect(await one.open(n(2))).toBe('miss {"n":2}')
  expect([await one.open(), await two.open()]).toEqual(['hit {"n":2}', 'hit {"n":1}'])
  down.set = false
  vi.setSystemTime(START + PAUSE_MS)
  // This request tries the store in the background.
  expect(await one.open()).toBe('hit {"n":2}')
  expect(await two.open(n(3))).toBe('miss {"n":3}')
  expect(await one.open()).toBe('hit {"n":3}')
})

test('a mark that the store did not take is written without requests, until the store takes it', async () => {
  const { store, down } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open(n(1))
  down.set = true
  down.get = true
  await one.act()
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  down.get = false
  expect(await two.open()).toBe('hit {"n":1}')
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  expect(await two.open()).toBe('hit {"n":1}')
  down.set = false
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1)
  expect(await two.open()).toBe('hit {"n":1}')
  await vi.advanceTimersByTimeAsync(1)
  expect(await two.open(n(2))).toBe('miss {"n":2}')
  expect(vi.getTimerCount()).toBe(0)
  expect(await one.open()).toBe('hit {"n":2}')
})

test('several events in an outage cost one timer', async () => {
  const { store, down } = createFragileStore()
  const one = createProcess(store)
  await one.open()
  down.set = true
  await one.act()
  await one.act()
  expect(vi.getTimerCount()).toBe(1)
})

test('requests that fail at the same time share one warning and one outage', async () => {
  const gate = createGate()
  let reads = 0
  const fail = async () => {
    // The entry and the mark of each of three requests.
    if ((reads += 1) === 6) gate.open()
    await gate.opened
    throw new Error('down')
  }
  const one = createProcess({ get: fail, set: fail })
  const shown = await Promise.all([1, 2, 3].map(() => one.open(n(2))))
  expect(shown).toEqual(Array(3).fill('miss {"n":2}'))
  expect(one.warnings()).toEqual(['store_failed'])
  expect(await one.open()).toBe('hit {"n":2}')
})

test('a store that lost a mark after some minutes is believed again', async () => {
  const { store, values } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open(n(1))
  await one.act()
  values.clear()
  vi.setSystemTime(START + 120_000)
  expect([await one.open(n(2)), await two.open()]).toEqual(['miss {"n":2}', 'hit {"n":2}'])
})

test('once the store has shown its mark, a process believes the marks of others', async () => {
  const { store } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open()
  await one.act()
  await one.open(n(1))
  await two.open()
  await two.act()
  expect([await two.open(n(2)), await one.open()]).toEqual(['miss {"n":2}', 'hit {"n":2}'])
})

test.each([7, 'x'.repeat(101), ['x'], {}, true])(
  'a mark that is %j does not keep content out of the cache',
  async (mark) => {
    const { store } = createFragileStore()
    const garbage: StoreAdapter = {
      ...store,
      get: (name) => (isEntryName(name) ? store.get(name) : (mark as never)),
    }
    const one = createProcess(garbage)
    expect([await one.open(n(1)), await one.open()]).toEqual(['miss {"n":1}', 'hit {"n":1}'])
  },
)

/** A namespace as KV describes it: reads are cached for a minute, and a key takes a write a second. */
function createKv() {
  const values = new Map<string, string>()
  const writes = new Map<string, number>()
  const connect = () => {
    const seen = new Map<string, { readonly value: string | null; readonly untilMs: number }>()
    return {
      async get(key: string) {
        const known = seen.get(key)
        if (known !== undefined && known.untilMs > Date.now()) return known.value
        const value = values.get(key) ?? null
        seen.set(key, { value, untilMs: Date.now() + 60_000 })
        return value
      },
      async put(key: string, value: string) {
        if (Date.now() - (writes.get(key) ?? 0) < 1_000) {
          throw new Error('KV PUT failed: 429 Too Many Requests')
        }
        writes.set(key, Date.now())
        values.set(key, value)
      },
    }
  }
  return { connect }
}

test('over KV, an event counts in its process at once, and in other locations after a minute', async () => {
  const kv = createKv()
  const [one, two] = [createProcess(kvStore(kv.connect())), createProcess(kvStore(kv.connect()))]
  await one.open(n(1))
  expect(await two.open()).toBe('hit {"n":1}')
  await one.act()
  expect(await one.open(n(2))).toBe('miss {"n":2}')
  vi.setSystemTime(START + 59_999)
  expect(await two.open()).toBe('hit {"n":1}')
  vi.setSystemTime(START + 60_000)
  expect(await two.open(n(3))).not.toContain('"n":1')
})

test('a second event within a second, whose write KV refuses, is written later', async () => {
  const kv = createKv()
  const [one, two] = [createProcess(kvStore(kv.connect())), createProcess(kvStore(kv.connect()))]
  await one.open(n(1))
  await one.act()
  await one.open(n(2))
  await one.act()
  expect(one.warnings()).toEqual(['store_failed'])
  expect(await one.open(n(3))).toBe('miss {"n":3}')
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  expect(await two.open(n(4))).toBe('miss {"n":4}')
})

test.each([
  ['memory', memoryStore()],
  ['memory during an outage', { get: () => Promise.reject(new Error('down')), set() {} }],
])('content from %s is not validated again', async (_, store) => {
  const cache = sectionCache({ name: uniqueName(), store, ttlSeconds: 60 })
  const isValid = () => false
  await (await fetchSection(cache, { isValid, load: async () => '[1]' })).scope.finish()
  expect((await fetchSection(cache, { isValid, load: async () => '[2]' })).text).toBe('hit [1]')
})

test('an entry that is 5 seconds ahead is used, and one that is further ahead is not', async () => {
  const store = createMapStore()
  const cache = payloadCache({ store, ttlSeconds: 60 })
  await (await fetchPayload(cache, { load: n(1) })).scope.finish()
  vi.setSystemTime(START - 5_000)
  expect((await fetchPayload(cache, { load: n(2) })).text).toBe('hit {"n":1}')
  vi.setSystemTime(START - 5_001)
  expect((await fetchPayload(cache, { load: n(2) })).text).toBe('miss {"n":2}')
})

test('a request waits for the call of another one no longer than the call may take', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, storeTimeoutMs: 500 })
  const reasons: string[] = []
  const load = (reason: string) => (reasons.push(reason), new Promise<never>(() => undefined))
  void fetchPayload(cache, { load, timeoutMs: 1_000 })
  await vi.advanceTimersByTimeAsync(1)
  const second = fetchPayload(cache, {
    timeoutMs: 1_000,
    load: async (reason) => (reasons.push(`second ${reason}`), '{"n":2}'),
  })
  await vi.advanceTimersByTimeAsync(2_498)
  expect(reasons).toEqual(['miss'])
  await vi.advanceTimersByTimeAsync(2)
  expect((await second).text).toBe('miss {"n":2}')
  expect(reasons).toEqual(['miss', 'miss', 'second miss'])
})

test('a refresh that takes its whole timeout of 100 ms shows stale content, with the error', async () => {
  const options = { store: memoryStore(), ttlSeconds: 60, staleSeconds: 60 }
  const cache = sectionCache({ name: uniqueName(), ...options })
  await fetchSection(cache, { load: async () => '[1]' })
  vi.setSystemTime(START + 61_000)
  const scope = createScope()
  const stale = cache.fetch({
    ctx: scope,
    key: ['a'],
    timeoutMs: 100,
    load: () => new Promise(() => undefined),
    encode: String,
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(await stale).toMatchObject({ status: 'stale', error: { name: 'TimeoutError' } })
})
