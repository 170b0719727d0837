import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, sectionCache, type StoreAdapter } from 'sidecard/cache'
import { createFragileStore, createProcess, n } from '../../helpers/cache-processes.ts'
import {
  createCache,
  createGate,
  createMapStore,
  createScope,
  fetchContent,
  fetchSection,
  invalidateContent,
  isEntryName,
  keyOf,
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

test('content that an event made wrong is not written', async () => {
  const { store, values } = createFragileStore()
  const one = createProcess(store)
  await one.open(n(1))
  vi.advanceTimersByTime(601_000)
  const [started, gate] = [createGate(), createGate()]
  const loading = fetchContent(one.cache, {
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
  const cache = createCache({ store: createStore(), ttlSeconds: 600 })
  const env = {}
  const gates = [createGate(), createGate()] as const
  const open = (account_id: string, load: () => Promise<string>) => {
    const scope = createScope({ actions: true, env, ids: { account_id } })
    return fetchContent(cache, { scope, load })
  }
  const { scope } = await open('a', n(1))
  await (await open('b', n(2))).scope.finish()
  const loading = open('c', async () => (gates[0].open(), await gates[1].opened, '{"n":3}'))
  await gates[0].opened
  await invalidateContent(cache, scope)
  gates[1].open()
  await (await loading).scope.finish()
  const shown = await Promise.all(['a', 'b', 'c'].map((id) => open(id, n(4))))
  expect(shown.map(({ text }) => text)).toEqual(['miss {"n":4}', 'hit {"n":2}', 'hit {"n":3}'])
})

test('a load that an event made wrong does not end the sharing of the next one', async () => {
  const map = createMapStore()
  const reads: string[] = []
  const store: StoreAdapter = { ...map, get: (name) => (reads.push(name), map.get(name)) }
  const cache = createCache({ store, ttlSeconds: 600 })
  const env = {}
  const open = (load: () => Promise<string>) =>
    fetchContent(cache, { scope: createScope({ actions: true, env }), load })
  const hold = () => {
    const [started, gate] = [createGate(), createGate()]
    const load = (value: string) => async () => (started.open(), await gate.opened, value)
    return { started: started.opened, open: gate.open, load }
  }
  const [old, next] = [hold(), hold()]
  const first = open(old.load('{"n":1}'))
  await old.started
  await invalidateContent(cache, createScope({ env }))
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

test.each([7, 'x'.repeat(101), 'a\nb', ['x'], {}, true])(
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
  const cache = createCache({ store, ttlSeconds: 60 })
  await (await fetchContent(cache, { load: n(1) })).scope.finish()
  vi.setSystemTime(START - 5_000)
  expect((await fetchContent(cache, { load: n(2) })).text).toBe('hit {"n":1}')
  vi.setSystemTime(START - 5_001)
  expect((await fetchContent(cache, { load: n(2) })).text).toBe('miss {"n":2}')
})

test('a request never joins a load that began before an event in another process', async () => {
  const { store } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open(n(1))
  await two.open()
  vi.advanceTimersByTime(601_000)
  const [started, gate] = [createGate(), createGate()]
  const before = one.open(async () => (started.open(), await gate.opened, '{"state":"paid"}'))
  await started.opened
  await two.act()
  expect(await one.open(async () => '{"state":"refunded"}')).toBe('miss {"state":"refunded"}')
  gate.open()
  expect(await before).toBe('miss {"state":"paid"}')
  expect(await one.open()).toBe('hit {"state":"refunded"}')
})

test('a process never shows content whose load began before an event in a different process', async () => {
  const { store } = createFragileStore()
  const [one, two] = [createProcess(store), createProcess(store)]
  const [started, gate] = [createGate(), createGate()]
  const before = one.open(async () => (started.open(), await gate.opened, '{"state":"paid"}'))
  await started.opened
  await two.act()
  gate.open()
  await before
  expect(await one.open(n(1))).toBe('miss {"n":1}')
})

test('the name of a mark does not contain the format of entries, so old processes invalidate new content', async () => {
  const { store, values } = createFragileStore()
  const one = createProcess(store)
  await one.open(n(1))
  await one.act()
  const marks = [...values.keys()].filter((name) => !isEntryName(name))
  const key = ['Test', 'shared by processes', 'Orders', 'org-1', [], keyOf(createScope())]
  const text = new TextEncoder().encode(JSON.stringify(key))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  // The name of a mark depends on nothing else.
  expect(marks).toEqual([`sidecard:${Buffer.from(digest).toString('hex').slice(0, 16)}`])
})
