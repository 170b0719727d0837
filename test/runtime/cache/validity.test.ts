import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { identify, section, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'
import { createGate, createMapStore, uniqueName } from '../../helpers/cache.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const JANE = { name: 'Jane Roe' }
const ENV = {}

type AppOptions = NonNullable<Parameters<typeof createTestApp>[0]>

/** An app, and a function that opens its sidebar: `stale Jane Roe`. */
function createCachedApp(options: AppOptions) {
  const app = createTestApp(options)
  const background: Promise<unknown>[] = []
  const executionCtx = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException() {},
    props: {},
  }
  const open = async () => {
    const response = await app.request(FETCH_DATA, {}, ENV, executionCtx)
    const body = JSON.stringify(await readPayload(response))
    const { headers } = response
    const shown = headers.get('x-sidecard-outcome') ?? headers.get('x-sidecard-failure')
    return `${shown ?? headers.get('x-sidecard-cache')}${body.includes('Jane') ? ' Jane' : ''}`
  }
  const finish = async () => {
    while (background.length > 0) await background.shift()
  }
  return { open, finish }
}

const STORES = [
  ['memory', () => memoryStore()],
  ['an outside store', () => createMapStore()],
] as const

const WRONG = [
  ['deleted', []],
  ['ambiguous', [JANE, { name: 'Jane Doe' }]],
] as const

/** Returns a source of customers, and what it finds. */
function createCustomers() {
  const customers = { found: [JANE] as readonly { name: string }[], lookups: 0 }
  const find = async (ctx: Parameters<typeof identify>[0]) => {
    const lookUp = async () => {
      customers.lookups += 1
      return customers.found
    }
    return (await identify(ctx, { account_id: lookUp })).value
  }
  return { customers, find }
}

test.each(
  STORES.flatMap(([store, createStore]) =>
    WRONG.map(([wrong, found]) => ({ store, createStore, wrong, found })),
  ),
)(
  'a customer who is $wrong disappears from a stale payload with the first refresh ($store)',
  async ({ found, createStore }) => {
    const { customers, find } = createCustomers()
    const { open, finish } = createCachedApp({
      cache: payloadCache({ store: createStore(), ttlSeconds: 60, staleSeconds: 3_600 }),
      fetchData: async (ctx) => [text({ label: 'Name', value: (await find(ctx)).name })],
    })
    expect(await open()).toBe('miss Jane')
    await finish()
    vi.setSystemTime(START + 61_000)
    customers.found = found
    expect(await open()).toBe('stale Jane')
    await finish()
    const outcome = found.length === 0 ? 'not_found' : 'ambiguous'
    for (const lookups of [3, 4]) {
      expect(await open()).toBe(outcome)
      await finish()
      expect(customers.lookups).toBe(lookups)
    }
    customers.found = [JANE]
    expect([await open(), (await finish(), await open())]).toEqual(['miss Jane', 'hit Jane'])
  },
)

test.each(STORES)(
  'a customer who is gone from one section disappears, even if another section fails (%s)',
  async (_, createStore) => {
    const { customers, find } = createCustomers()
    let isDown = false
    const { open, finish } = createCachedApp({
      cache: payloadCache({ store: createStore(), ttlSeconds: 60, staleSeconds: 3_600 }),
      fetchData: (ctx) => [
        section('Bank', async () => text({ label: 'Name', value: (await find(ctx)).name })),
        section('Orders', () => {
          if (isDown) throw new Error('down')
          return text({ label: 'Orders', value: '3' })
        }),
      ],
    })
    await open()
    await finish()
    customers.found = []
    isDown = true
    vi.setSystemTime(START + 61_000)
    expect(await open()).toBe('stale Jane')
    await finish()
    expect(await open()).toBe('section_failed;component=1')
  },
)

test.each(STORES)(
  'content of a section that was wrong is not shown in a later outage, from %s',
  async (_, createStore) => {
    const { customers, find } = createCustomers()
    let isDown = false
    const cache = sectionCache({
      name: uniqueName(),
      store: createStore(),
      ttlSeconds: 60,
      staleSeconds: 3_600,
    })
    const { open, finish } = createCachedApp({
      fetchData: (ctx) => {
        const load = async () => {
          if (isDown) throw new Error('down')
          return text({ label: 'Name', value: (await find(ctx)).name })
        }
        return [section('Bank', load, { cache, key: ['a'] }), text({ label: 'a', value: 'b' })]
      },
    })
    await open()
    await finish()
    customers.found = []
    vi.setSystemTime(START + 61_000)
    expect(await open()).toBe('null')
    await finish()
    isDown = true
    expect(await open()).toBe('section_failed;component=0')
  },
)

test.each(STORES)('a failure keeps the last good payload, from %s', async (_, createStore) => {
  let isDown = false
  const { open, finish } = createCachedApp({
    cache: payloadCache({ store: createStore(), ttlSeconds: 60, staleSeconds: 3_600 }),
    fetchData: () => {
      if (isDown) throw new Error('down')
      return [text({ label: 'Name', value: 'Jane' })]
    },
  })
  await open()
  await finish()
  isDown = true
  vi.setSystemTime(START + 61_000)
  for (const _request of [1, 2]) {
    expect(await open()).toBe('stale Jane')
    await finish()
  }
})

test.each(STORES)('an entry is as old as the start of its load, in %s', async (_, createStore) => {
  const [started, gate] = [createGate(), createGate()]
  const { open, finish } = createCachedApp({
    cache: payloadCache({ store: createStore(), ttlSeconds: 60 }),
    fetchData: async () => {
      started.open()
      await gate.opened
      return [text({ label: 'Name', value: 'Jane' })]
    },
  })
  const first = open()
  await started.opened
  vi.setSystemTime(START + 50_000)
  gate.open()
  expect(await first).toBe('miss Jane')
  await finish()
  expect(await open()).toBe('hit Jane')
  vi.setSystemTime(START + 60_001)
  expect(await open()).toBe('miss Jane')
})
