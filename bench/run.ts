/**
 * `npm run bench`: measures the comparisons of bench/RESULTS.md and writes
 * that file and its chart. `npm run bench -- helpers caches --rounds 3` prints
 * these parts, and writes nothing.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { PARTS } from './parts.ts'
import { renderPage } from './report/page.ts'

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' } },
  allowPositionals: true,
})
const rounds = Number(values.rounds)
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
if (unknown !== undefined) {
  throw new Error(`There is no part ${unknown}. Choose from ${Object.keys(PARTS).join(', ')}.`)
}

const sections: string[] = []
let chart = ''
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  process.stderr.write(`${name} …\n`)
  // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
  const part = await PARTS[name]!(rounds)
  sections.push(part.section)
  if (part.chart !== undefined) ({ chart } = part)
  if (positionals.length > 0) process.stdout.write(`${part.section}\n\n`)
}

if (positionals.length === 0) {
  const docs = new URL('../docs/', import.meta.url)
  const file = new URL('RESULTS.md', import.meta.url)
  await writeFile(file, renderPage(rounds, sections))
  execFileSync('oxfmt', [file.pathname])
  await writeFile(new URL('images/performance.svg', docs), chart)
}
