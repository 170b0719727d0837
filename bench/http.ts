/**
 * Throughput over HTTP against a bare Hono app that checks nothing:
 * `npm run bench:http -- [rounds] [seconds]`. Each server is a process of its
 * own; the load alternates between the two, and each pair gives one ratio.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { type Contender, QUERY, type Size } from './contenders/apps.ts'
import { summary } from './statistics.ts'

const SERVER = new URL('contenders/server.ts', import.meta.url).pathname
const CONNECTIONS = 50
const [rounds = 7, seconds = 2] = process.argv.slice(2).map(Number)

for (const size of ['realistic', 'one'] as const) {
  const bare = await start('bareHono', size)
  const ours = await start('checked', size)
  await load(bare.url, 1)
  await load(ours.url, 1)
  const requests = { bare: [] as number[], ours: [] as number[] }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const bareRate = await load(bare.url, seconds)
    const ourRate = await load(ours.url, seconds)
    requests.bare.push(bareRate)
    requests.ours.push(ourRate)
    ratios.push(ourRate / bareRate)
  }
  bare.child.stdin?.end()
  ours.child.stdin?.end()
  console.log(
    `${size}: bare Hono ${summary(requests.bare, 0)} requests/s, sidecard ${summary(requests.ours, 0)}, ratio ${summary(ratios, 3)}`,
  )
}

async function start(
  contender: Contender,
  size: Size,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [SERVER, contender, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: line.toString().trim(), child }
}

async function load(url: string, duration: number): Promise<number> {
  const result = await autocannon({ url: `${url}/${QUERY}`, connections: CONNECTIONS, duration })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers other than 2xx`)
  return result.requests.average
}
