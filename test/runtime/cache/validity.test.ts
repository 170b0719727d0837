import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { identify, section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
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

/** An app, and a function that opens its sidebar: `ok Jane`. */
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
    return `${shown ?? 'ok'}${body.includes('Jane') ? ' Jane' : ''}`
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

/** Returns a source of customers, and what it finds. */
function createCustomers() {
  const customers = { found: [JANE] as readonly { name: string }[] }
  const find = async (ctx: Parameters<typeof identify>[0]) => {
    return (await identify(ctx, { account_id: async () => customers.found })).value
  }
  return { customers, find }
}

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
    expect(await open()).toBe('ok')
    await finish()
    isDown = true
    expect(await open()).toBe('section_failed;component=0')
  },
)

test.each(STORES)('an entry is as old as the start of its load, in %s', async (_, createStore) => {
  const [started, gate] = [createGate(), createGate()]
  const cache = sectionCache({ name: uniqueName(), store: createStore(), ttlSeconds: 60 })
  let loads = 0
  const { open, finish } = createCachedApp({
    fetchData: () => {
      const load = async () => {
        loads += 1
        started.open()
        await gate.opened
        return [text({ label: 'Name', value: 'Jane' })]
      }
      return [section('Bank', load, { cache, key: ['a'] })]
    },
  })
  const first = open()
  await started.opened
  vi.setSystemTime(START + 50_000)
  gate.open()
  await first
  await finish()
  await open()
  expect(loads).toBe(1)
  vi.setSystemTime(START + 60_001)
  await open()
  expect(loads).toBe(2)
})
