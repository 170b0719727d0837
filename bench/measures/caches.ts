import { noAuth, section, sidecard, text } from 'sidecard'
import { action, actions, anyAgent, memoryReceipts } from 'sidecard/actions'
import { memoryStore, sectionCache, type StoreAdapter } from 'sidecard/cache'
import * as z from 'zod'
import { figure, type Part, table } from '../page.ts'
import { HEADER } from '../payloads.ts'
import { inTurns } from '../samples.ts'
import { type App, QUERY } from '../stacks.ts'

const SECTIONS = 10
const CALLS = 300
const WARM_UPS = 8

/** The goal for each row: the CPU time of ten cached sections, relative to ten plain ones. */
const LIMIT = 2

const options = { header: HEADER, auth: noAuth(), logger: false } as const
const PLAIN = 'ten plain sections'

/** It has no goal: its timers cost more than its lookups. */
const SLOW = 'ten sections from a store that takes 10 ms for each operation'

const refund = action()({
  name: 'refund',
  label: 'Refund',
  input: z.object({}),
  show: () => [],
  run: () => undefined,
})

/** Each section is a text, so that the cache is most of the cost. */
function createApp(name?: string, store?: StoreAdapter, hasActions = false): App {
  const cache =
    name === undefined || store === undefined
      ? undefined
      : sectionCache({ name, store, ttlSeconds: 3_600 })
  let n = 0
  const fetchData = () =>
    Array.from({ length: SECTIONS }, (_, index) => {
      const load = () => [text({ label: `Error ${(n += 1)}`, value: `Timeout ${n}` })]
      const title = `Errors ${index}`
      return cache === undefined
        ? section(title, load)
        : section(title, load, { cache, key: [index] })
    })
  if (!hasActions) return sidecard({ ...options, fetchData })
  return sidecard({
    ...options,
    name: 'bench',
    fetchData,
    actions: actions({
      list: [refund],
      publicUrl: 'http://localhost/',
      secret: 'a secret of the benchmark, long enough',
      signIn: anyAgent(),
      receipts: memoryReceipts(),
    }),
  })
}

/** Creates a store outside the process, which answers after a delay. */
function createStore(delayMs = 0): StoreAdapter {
  const values = new Map<string, string>()
  const wait = async () => {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
  return {
    async get(key) {
      await wait()
      return values.get(key)
    },
    async set(key, value) {
      await wait()
      values.set(key, value)
    },
  }
}

/** Measures ten cached sections next to ten plain ones. */
export async function measureCaches(rounds: number): Promise<Part> {
  const apps = {
    [PLAIN]: createApp(),
    'ten sections from memory': createApp('plain', memoryStore()),
    'ten sections from memory, in an app with actions': createApp('actions', memoryStore(), true),
    'ten sections from a store outside the process': createApp('outside', createStore()),
    [SLOW]: createApp('slow', createStore(10)),
  }
  const turns = Object.entries(apps).map(([name, app]) => [name, () => measureCpu(app)] as const)
  const costs = await inTurns(
    Object.fromEntries(turns) as Record<string, () => Promise<number>>,
    rounds,
    WARM_UPS,
  )
  const plain = costs[PLAIN]!
  return {
    goals: Object.entries(costs)
      .filter(([name]) => name !== PLAIN && name !== SLOW)
      .map(([name, cost]) => ({
        name: `${name[0]?.toUpperCase()}${name.slice(1)}, relative to ten plain ones`,
        value: cost / plain,
        limit: LIMIT,
        unit: '×',
        cause: 'The lookups of ten keys, and the validation of entries from outside the process.',
      })),
    section: `## Caches

A source that takes no time: the most unfavorable case for a cache.

${table(
  ['', 'CPU µs'],
  Object.entries(costs).map(([name, cost]) => [name, figure(cost)]),
)}`,
  }
}

async function measureCpu(app: App): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a server does
    await (await app.fetch(new Request(`http://localhost/${QUERY}`))).arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}
