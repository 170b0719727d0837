import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { kvStore, type StoreAdapter } from 'sidecard/cache'
import { createFragileStore, createKv, createProcess, n } from '../../helpers/cache-processes.ts'
import { createGate, createMapStore, createScope, isEntryName } from '../../helpers/cache.ts'

const START = 1_800_000_000_000
const PAUSE_MS = 5_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
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

test('a store that stays down is left alone, and memory goes on serving', async () => {
  const names: string[] = []
  const fail = (name: string) => {
    names.push(name)
    return Promise.reject(new Error('down'))
  }
  const one = createProcess({ get: fail, set: fail })
  expect(await one.open(n(1))).toBe('miss {"n":1}')
  for (const second of [5, 7, 10, 15]) {
    vi.setSystemTime(START + second * 1_000)
    expect(await one.open(n(2))).toBe('hit {"n":1}')
  }
  expect(one.warnings()).toEqual(Array(4).fill('store_failed'))
  expect(names.slice(2)).toEqual(Array(3).fill('sidecard:retry'))
})

test('a clock that goes back does not extend the pause of a store', async () => {
  const { store, down } = createFragileStore()
  const one = createProcess(store)
  down.get = true
  await one.open(n(1))
  down.get = false
  vi.setSystemTime(START - 2_000)
  // It tries the store in the background.
  await one.open(n(2))
  expect(await one.open(n(2))).toContain('{"n":2}')
})

test('a late reply about an earlier event does not stop the writing of a later one', async () => {
  const map = createMapStore()
  const gate = createGate()
  let writes = 0
  const store: StoreAdapter = {
    get: map.get,
    async set(name, value, ttl) {
      if (!isEntryName(name)) writes += 1
      // The first mark is stored, and the reply is late. The second one fails.
      if (writes === 2) throw new Error('down')
      await map.set(name, value, ttl)
      if (isEntryName(name)) return
      if (writes === 1) await gate.opened
    },
  }
  const [one, two] = [createProcess(store), createProcess(store)]
  await one.open(n(1))
  const first = one.act()
  await vi.advanceTimersByTimeAsync(1)
  // This content is from after the first event, and from before the second one.
  expect(await two.open(n(2))).toBe('miss {"n":2}')
  await one.act()
  gate.open()
  await first
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  expect(await two.open(n(3))).toBe('miss {"n":3}')
})

test('in an outage, the marks of the last 10,000 events are kept', async () => {
  const { store, down, values } = createFragileStore()
  const one = createProcess(store)
  const scope = createScope({ actions: true, env: one.env })
  down.set = true
  const act = (event: number) => one.cache.invalidate!(scope, `mark ${event}`)
  // The first one happens again, so the second one is the oldest.
  await act(0)
  await act(1)
  await act(0)
  for (let event = 2; event <= 10_000; event += 1) await act(event)
  down.set = false
  await vi.advanceTimersByTimeAsync(PAUSE_MS)
  expect(values.size).toBe(10_000)
  expect([values.has('sidecard:mark 0'), values.has('sidecard:mark 1')]).toEqual([true, false])
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

test('a second event within a second, whose write KV rejects, is written later', async () => {
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
