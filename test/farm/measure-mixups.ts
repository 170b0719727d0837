/**
 * `node test/farm/measure-mixups.ts`: checks an endpoint that shows a share of the responses to
 * one customer to be those of another one, and prints in how many runs the checker
 * finds it. Fails unless 99 % are proven for a share of 5 %. `--record` writes mixups.json.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { check } from '../../src/tools/check/index.ts'
import { createTransport } from '../../src/tools/cli/transport/transport.ts'
import { OPTIONS } from './farm.ts'
import { measureMixups } from './mixups.ts'
import type { MixupRecord, Mixups } from './record.ts'
import { endpoint } from './seed.ts'

const { values } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1500' },
  },
})
const mixups: Mixups[] = []
for (const [share, part] of [
  [0.05, 1],
  [0.5, 0.2],
] as const) {
  // oxlint-disable-next-line no-await-in-loop -- the second one would only slow down the first one
  const measured = await measureMixups(share, Math.ceil(Number(values.runs) * part))
  mixups.push(measured)
  const { found, runs, atLeast } = measured
  process.stdout.write(`${share}: found in ${found} of ${runs} runs, at least ${atLeast}\n`)
}

const server = serve({ fetch: endpoint(), port: 0, hostname: '127.0.0.1' })
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined
const reports = []
for (let turn = 0; turn < 5; turn += 1) {
  // oxlint-disable-next-line no-await-in-loop -- concurrent checks would distort the time
  reports.push(await check(`http://127.0.0.1:${port}/`, { ...OPTIONS, ...createTransport() }))
}
server.close()
const [, , median] = reports.toSorted((a, b) => a.durationMs - b.durationMs)
const record: MixupRecord = {
  mixups,
  requests: median?.requests ?? 0,
  seconds: Number(((median?.durationMs ?? 0) / 1_000).toFixed(1)),
}
process.stdout.write(`${record.requests} requests in ${record.seconds} s\n`)
if (mixups.some(({ share, atLeast }) => share === 0.05 && atLeast < 0.99)) process.exitCode = 1
else if (values.record) {
  const path = new URL('mixups.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`)
}
