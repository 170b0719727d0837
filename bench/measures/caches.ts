import { noAuth, section, sidecard, text } from 'sidecard'
import { memoryStore, payloadCache, sectionCache } from 'sidecard/cache'
import { figure, type Part, table } from '../page.ts'
import { built, HEADER, readRow } from '../payloads.ts'
import { inTurns } from '../samples.ts'
import { type App, QUERY } from '../stacks.ts'

const SECTIONS = 10
const CALLS = 300
const WARM_UPS = 8

const options = { header: HEADER, auth: noAuth(), logger: false } as const
const stored = { ttlSeconds: 3_600, store: memoryStore() }

function createPlain(): App {
  let n = 0
  return sidecard({ ...options, fetchData: () => built(15, (n += 1), readRow) })
}

function createCached(): App {
  return sidecard({
    ...options,
    cache: payloadCache(stored),
    fetchData: () => built(15, 1, readRow),
  })
}

/** Each section is a text, so that the cache is most of the cost. */
function createSections(cache?: ReturnType<typeof sectionCache>): App {
  let n = 0
  return sidecard({
    ...options,
    fetchData: () =>
      Array.from({ length: SECTIONS }, (_, index) => {
        const load = () => [text({ label: `Error ${(n += 1)}`, value: `Timeout ${n}` })]
        const title = `Errors ${index}`
        return cache === undefined
          ? section(title, load)
          : section(title, load, { cache, key: [index] })
      }),
  })
}

/** Measures responses from the memory cache next to plain ones. */
export async function measureCaches(rounds: number): Promise<Part> {
  const apps = {
    'a plain response': createPlain(),
    'a payload from the memory cache': createCached(),
    'ten plain sections': createSections(),
    'ten sections from the memory cache': createSections(
      sectionCache({ ...stored, name: 'errors' }),
    ),
  }
  const turns = Object.entries(apps).map(([name, app]) => [name, () => measureCpu(app)] as const)
  const costs = await inTurns(
    Object.fromEntries(turns) as Record<keyof typeof apps, () => Promise<number>>,
    rounds,
    WARM_UPS,
  )
  return {
    goals: [
      {
        name: 'A payload from the memory cache, relative to a plain response',
        value: costs['a payload from the memory cache'] / costs['a plain response'],
        limit: 2,
        unit: '×',
        cause: 'The hash of the key.',
      },
      {
        name: 'Ten sections from the memory cache, relative to ten plain ones',
        value: costs['ten sections from the memory cache'] / costs['ten plain sections'],
        limit: 3,
        unit: '×',
        cause: 'The hashes of ten keys.',
      },
    ],
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
