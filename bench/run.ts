/**
 * `npm run bench`: measures the comparisons of docs/performance.md and writes
 * that page and its chart. `npm run bench -- --quick` takes a few minutes and
 * writes nothing. `--only http,slow-source` measures these sections alone and
 * prints their results as JSON.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { APPS, BASELINE, MAIN_CANDIDATES } from './candidates/apps.ts'
import { type Size, SIZES } from './candidates/payloads.ts'
import { SERVERS } from './candidates/servers.ts'
import { CACHE_NAMES } from './candidates/slow-source.ts'
import { renderChart } from './report/chart.ts'
import { renderPage } from './report/page.ts'
import type { Results } from './report/results.ts'
import { measureEncoding } from './sections/encoding.ts'
import { measureHttp } from './sections/http.ts'
import { measureInProcess } from './sections/in-process.ts'
import { measureSizes } from './sections/sizes.ts'
import { measureSlowSource } from './sections/slow-source.ts'
import { measureFirstResponse, measureWorkerd } from './sections/workerd.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
})
const rounds = Number(values.rounds ?? (values.quick ? 3 : 15))
const load = { rounds, seconds: 1 }
const serverNames = [BASELINE, ...Object.keys(SERVERS).filter((name) => name !== BASELINE)]

/** The sections by name, in the order in which they run. */
const SECTIONS: {
  readonly [Name in Exclude<keyof Results, 'rounds'>]: () => Promise<Results[Name]>
} = {
  inProcess: () => forEachSize((size) => measureInProcess(size, MAIN_CANDIDATES, rounds)),
  encoding: () => forEachSize(async (size) => measureEncoding(size, rounds)),
  apps: () => measureInProcess(15, Object.keys(APPS), rounds),
  http: () => forEachSize((size) => measureHttp(size, MAIN_CANDIDATES, load)),
  servers: () => measureHttp(15, serverNames, load),
  workerd: () => forEachSize((size) => measureWorkerd(size, load)),
  firstResponse: () => measureFirstResponse(rounds),
  slowSource: () =>
    runSequentially(CACHE_NAMES, (name) => measureSlowSource(name, values.quick ? 3 : 10)),
  sizes: () => measureSizes(),
}

const selected = values.only?.split(',') ?? Object.keys(SECTIONS)
const results: Record<string, unknown> = { rounds }
for (const name of selected) {
  const measure = SECTIONS[name as keyof typeof SECTIONS]
  if (measure === undefined) {
    throw new Error(`There is no section ${name}. Choose from ${Object.keys(SECTIONS).join(', ')}.`)
  }
  process.stderr.write(`${name} …\n`)
  // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
  results[name] = await measure()
}
if (values.only === undefined) await report(results as unknown as Results)
else console.log(JSON.stringify(results, serializeMap, 2))

async function report(complete: Results): Promise<void> {
  const page = renderPage(complete)
  process.stdout.write(`${page}\n`)
  if (values.quick) return
  const docs = new URL('../docs/', import.meta.url)
  const file = new URL('performance.md', docs)
  await writeFile(file, page)
  execFileSync('oxfmt', [file.pathname])
  await writeFile(new URL('images/performance.svg', docs), renderChart(complete.servers.cpu))
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

function serializeMap(_: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value
}
