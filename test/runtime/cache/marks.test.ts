import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { kvStore, memoryStore, payloadCache, sectionCache, type StoreAdapter } from 'sidecard/cache'
import { createFragileStore, createKv, createProcess, n } from '../../helpers/cache-processes.ts'
import {
  createGate,
  createMapStore,
  createScope,
  fetchPayload,
  fetchSection,
  isEntryName,
  uniqueName,
} from '../../helpers/cache.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('an event in one process counts in the others that share its store', async () => {
  const { store } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  expect([await one.open(n(1)), await two.open()]).toEqual(['miss {"n":1}', 'hit {"n":1}'])
  await one.act()
  // Nothing is left to be written later.
  expect(vi.getTimerCount()).toBe(0)
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

test.each([
  ['memory', () => memoryStore()],
  ['an outside store', () => createMapStore()],
])('an event of one customer makes nothing of another one wrong, in %s', async (_, createStore) => {
  const key = ({ params }: { params: { account_id?: string | undefined } }) => [params.account_id]
  const cache = payloadCache({ store: createStore(), ttlSeconds: 600, key })
  const env = {}
  const gates = [createGate(), createGate()] as const
  const open = (account_id: string, load: () => Promise<string>) => {
    const scope = createScope({ actions: true, env, ids: { account_id } })
    return fetchPayload(cache, { scope, load })
  }
  const { cacheKey, scope } = await open('a', n(1))
  expect(cacheKey).toMatch(/^sidecard:[\da-f]{32}$/)
  await (await open('b', n(2))).scope.finish()
  const loading = open('c', async () => (gates[0].open(), await gates[1].opened, '{"n":3}'))
  await gates[0].opened
  await cache.expire!(scope, cacheKey!)
  gates[1].open()
  await (await loading).scope.finish()
  const shown = await Promise.all(['a', 'b', 'c'].map((id) => open(id, n(4))))
  expect(shown.map(({ text }) => text)).toEqual(['miss {"n":4}', 'hit {"n":2}', 'hit {"n":3}'])
})

test('without actions, an event of one customer makes nothing of another one in memory wrong', async () => {
  const cache = payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 600 })
  const open = async (account_id: string, isDesigned = false) => {
    const ctx = createScope({ ids: { account_id } })
    const details = { json: account_id, componentCount: 1, sections: [], match: undefined }
    const load = async () => ({ ...details, isDesigned })
    const result = await cache.fetch({ ctx, encode: String, load })
    await ctx.finish()
    return result.cache
  }
  expect([await open('a'), await open('b')]).toEqual(['miss', 'miss'])
  vi.setSystemTime(START + 61_000)
  expect(await open('a', true)).toBe('stale')
  expect([await open('a'), await open('b')]).toEqual(['miss', 'stale'])
})

test('a load that an event made wrong does not end the sharing of the next one', async () => {
  const map = createMapStore()
  const reads: string[] = []
  const store: StoreAdapter = { ...map, get: (name) => (reads.push(name), map.get(name)) }
  const cache = payloadCache({ store, ttlSeconds: 600 })
  const env = {}
  const open = (load: () => Promise<string>) =>
    fetchPayload(cache, { scope: createScope({ actions: true, env }), load })
  const hold = () => {
    const [started, gate] = [createGate(), createGate()]
    const load = (value: string) => async () => (started.open(), await gate.opened, value)
    return { started: started.opened, open: gate.open, load }
  }
  const [old, next] = [hold(), hold()]
  const first = open(old.load('{"n":1}'))
  await old.started
  const probe = await fetchPayload(payloadCache({ store: createMapStore(), ttlSeconds: 600 }), {
    scope: createScope({ actions: true, env }),
    load: n(0),
  })
  await cache.expire!(createScope({ actions: true, env }), probe.cacheKey!)
  const second = open(next.load('{"n":2}'))
  await next.started
  old.open()
  await (await first).scope.finish()
  const third = open(n(3))
  // Three requests have read an entry and a mark.
  while (reads.length < 6) await nextTurn()
  await nextTurn()
  next.open()
  expect([(await second).text, (await third).text]).toEqual(['miss {"n":2}', 'miss {"n":2}'])
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
    title: 'Orders',
    key: ['a'],
    timeoutMs: 100,
    load: () => new Promise(() => undefined),
    encode: String,
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(await stale).toMatchObject({ status: 'stale', error: { name: 'TimeoutError' } })
})
