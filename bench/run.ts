/** Runs the benchmarks. `node scripts/bench.ts` installs what it needs first. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measureCaches } from './measures/caches.ts'
import { measureGains } from './measures/gains.ts'
import { measureHelpers } from './measures/helpers.ts'
import { measureRequests } from './measures/requests.ts'
import { measureStart } from './measures/start.ts'
import { measureSizes } from './measures/workers.ts'
import { type Part, renderPage } from './page.ts'

/** In the order of the page. */
const PARTS: Readonly<Record<string, (rounds: number) => Promise<Part>>> = {
  requests: measureRequests,
  start: measureStart,
  caches: measureCaches,
  helpers: measureHelpers,
  gains: measureGains,
  sizes: measureSizes,
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' } },
  allowPositionals: true,
})
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
if (unknown !== undefined) {
  throw new Error(`There is no part ${unknown}. Choose from ${Object.keys(PARTS).join(', ')}.`)
}

const parts: Part[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  process.stderr.write(`${name} …\n`)
  // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
  parts.push(await PARTS[name]!(Number(values.rounds)))
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const page = renderPage(parts, commit)

if (positionals.length > 0) process.stdout.write(page)
else {
  const file = new URL('../docs/performance.md', import.meta.url)
  await writeFile(file, page)
  execFileSync('oxfmt', [file.pathname])
}
