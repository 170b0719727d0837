/**
 * Serves a stack, writes its URL, and its CPU time in microseconds for each line on standard
 * input: `node server.ts <stack> <size>`. Ends when standard input closes.
 */
import { createInterface } from 'node:readline'
import { serve as serveHono } from '@hono/node-server'
import { serve } from 'sidecard/node'
import type { Size } from '../payloads.ts'
import { type Stack, STACKS } from '../stacks.ts'

const [name, size] = process.argv.slice(2) as [Stack, string]
const app = STACKS[name](Number(size) as Size)

if (name.startsWith('Sidecard')) {
  const { url } = await serve(app, { port: 0, handleSignals: false })
  console.log(url)
} else {
  serveHono({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }, (address) =>
    console.log(`http://127.0.0.1:${address.port}`),
  )
}

createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage()
    console.log(user + system)
  })
  .on('close', () => process.exit(0))
