/**
 * `npm run bench`: every comparison of docs/performance.md, side by side, in
 * turns. Prints the figures and writes them and their picture into docs/.
 * `npm run bench -- --quick` takes two minutes and writes nothing.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { APPS } from './contenders/apps.ts'
import { SERVERS } from './contenders/servers.ts'
import { SIZES } from './contenders/sizes.ts'
import { picture } from './report/picture.ts'
import { page } from './report/page.ts'
import { measureHttp } from './sections/http.ts'
import { measureInProcess } from './sections/in-process.ts'
import { measureSizes } from './sections/sizes.ts'
import { measureSlowSource } from './sections/slow-source.ts'
import { measureFirstAnswer, measureWorkerd } from './sections/workerd.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
  },
})
const rounds = values.quick ? 5 : Number(values.rounds)
const pair = ['bare Hono', 'sidecard']
const step = (name: string) => process.stderr.write(`${name} …\n`)

step('in process')
const inProcess = new Map(
  await inTurn(SIZES, async (size) => [
    size,
    await measureInProcess(size, size === 15 ? Object.keys(APPS) : pair, rounds),
  ]),
)
step('over HTTP')
const servers = ['bare Hono', ...Object.keys(SERVERS).filter((name) => name !== 'bare Hono')]
const http = await measureHttp(15, servers, { rounds, seconds: 1 })
const httpPairs = new Map(
  await inTurn(SIZES, async (size) => [
    size,
    await measureHttp(size, pair, { rounds, seconds: 1 }),
  ]),
)
step('on workerd')
const workerd = await measureWorkerd(15, { rounds, seconds: 1 })
const workerdOne = await measureWorkerd(1, { rounds, seconds: 1 })
const firstAnswer = await measureFirstAnswer(rounds)
step('slow source')
const slow = [
  await measureSlowSource('without', values.quick ? 2 : 10),
  await measureSlowSource('with', values.quick ? 2 : 10),
]
const sizes = await measureSizes()

const figures = {
  inProcess,
  http,
  httpPairs,
  workerd,
  workerdOne,
  firstAnswer,
  slow,
  sizes,
  rounds,
}
const text = page(figures)
process.stdout.write(`${text}\n`)
if (!values.quick) {
  const docs = new URL('../docs/', import.meta.url)
  await writeFile(new URL('performance.md', docs), text)
  execFileSync('oxfmt', [new URL('performance.md', docs).pathname])
  await writeFile(new URL('images/performance.svg', docs), picture(http.cpu))
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  measure: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // oxlint-disable-next-line no-await-in-loop -- one after another, or they disturb each other
  for (const item of items) results.push(await measure(item))
  return results
}
