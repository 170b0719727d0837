import { APPS, BASELINE, MAIN_CANDIDATES, STRINGS, STRINGS_BASELINE } from './candidates/apps.ts'
import { createCacheCandidates } from './candidates/cached.ts'
import { type Size, SIZES } from './candidates/payloads.ts'
import { SERVERS } from './candidates/servers.ts'
import { CACHE_NAMES } from './candidates/slow-source.ts'
import { renderChart } from './report/chart.ts'
import { renderCaches, renderGains, renderHelpers } from './report/costs.ts'
import { renderHttp, renderInProcess, renderLibraries, renderServers } from './report/requests.ts'
import { renderSizes, renderSlowSource, renderWorkerd } from './report/workers.ts'
import { measureEncoding } from './sections/encoding.ts'
import { measureGains } from './sections/gains.ts'
import { measureHelpers } from './sections/helpers.ts'
import { measureHttp } from './sections/http.ts'
import { measureApps, measureInProcess } from './sections/in-process.ts'
import { measureSizes } from './sections/sizes.ts'
import { measureSlowSource } from './sections/slow-source.ts'
import { measureFirstResponse, measureWorkerd } from './sections/workerd.ts'

/** A part of bench/RESULTS.md. */
export interface MeasuredPart {
  readonly section: string
  /** The picture of the page, if this part has it. */
  readonly chart?: string
}

const CACHE_CALLS = 300
/** With one payload, so that all rows have one baseline. */
const isComparable = (name: string) => name !== STRINGS && name !== STRINGS_BASELINE

/** The parts by name, in the order of the page. Each measures and renders its own. */
export const PARTS: Readonly<Record<string, (rounds: number) => Promise<MeasuredPart>>> = {
  http: async (rounds) => {
    const rows = await forEachSize((size) =>
      measureHttp(size, MAIN_CANDIDATES, { rounds, seconds: 1 }),
    )
    return { section: renderHttp(rows) }
  },
  'in-process': async (rounds) => {
    const rows = await forEachSize((size) => measureInProcess(size, MAIN_CANDIDATES, rounds))
    const encoding = await forEachSize(async (size) => measureEncoding(size, rounds))
    return { section: renderInProcess(rows, encoding) }
  },
  helpers: async (rounds) => ({ section: renderHelpers(measureHelpers(rounds)) }),
  caches: async (rounds) => {
    const candidates = createCacheCandidates()
    const rows = await measureApps(candidates, rounds, CACHE_CALLS)
    return { section: renderCaches(rows, candidates) }
  },
  gains: async (rounds) => ({ section: renderGains(measureGains(rounds)) }),
  servers: async (rounds) => {
    const names = Object.keys(SERVERS).filter(isComparable)
    const rows = await measureHttp(15, [BASELINE, ...names.filter((name) => name !== BASELINE)], {
      rounds,
      seconds: 1,
    })
    return { section: renderServers(rows), chart: renderChart(rows.cpu) }
  },
  libraries: async (rounds) => ({
    section: renderLibraries(
      await measureInProcess(15, Object.keys(APPS).filter(isComparable), rounds),
    ),
  }),
  workerd: async (rounds) => {
    const rows = await forEachSize((size) => measureWorkerd(size, { rounds, seconds: 1 }))
    return { section: renderWorkerd(rows, await measureFirstResponse(rounds)) }
  },
  sizes: async () => ({ section: renderSizes(await measureSizes()) }),
  'slow-source': async (rounds) => {
    const seconds = Math.min(10, rounds)
    const results = await runSequentially(CACHE_NAMES, (name) => measureSlowSource(name, seconds))
    return { section: renderSlowSource(results) }
  },
}

async function forEachSize<Result>(
  measure: (size: Size) => Promise<Result>,
): Promise<Map<Size, Result>> {
  return new Map(await runSequentially(SIZES, async (size) => [size, await measure(size)] as const))
}

async function runSequentially<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const list: Result[] = []
  // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
  for (const item of items) list.push(await run(item))
  return list
}
