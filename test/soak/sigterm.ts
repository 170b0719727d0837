import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { open } from '../helpers/raw-http.ts'
import { createFailureList, type Soak } from './soak.ts'

const SERVER = fileURLToPath(new URL('sigterm-server.ts', import.meta.url))
const CLIENTS = 20
const REQUEST = 'GET /?request_type=fetch_data HTTP/1.1\r\nHost: x\r\n\r\n'

/**
 * SIGTERM under load, repeatedly. Every request that the server has started gets
 * its complete response, the exit code is 0, and neither idle nor busy
 * connections delay the exit.
 */
export const sigtermSoak: Soak = async ({ count }) => {
  const found = createFailureList()
  let responses = 0
  let slowestExitMs = 0
  for (let round = 0; round < count; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one server after another
    const { started, completed, code, exitMs } = await runRound()
    responses += completed
    slowestExitMs = Math.max(slowestExitMs, exitMs)
    if (completed < started) found.add(`${started - completed} of ${started} requests were dropped`)
    if (code !== 0) found.add(`exit code ${code}`)
  }
  return {
    figures: {
      rounds: count,
      responses,
      slowestExitMs: Math.round(slowestExitMs),
      failures: found.count,
    },
    failures: found.failures,
  }
}

async function runRound() {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
  await once(child.stdout, 'data')
  const port = Number(/port (\d+)/.exec(printed)?.[1])
  let completed = 0
  const enough = Promise.withResolvers<void>()
  const idle = await open(port)
  idle.on('error', () => undefined)
  const clients = Array.from({ length: CLIENTS }, async () => {
    const socket = await open(port)
    socket.setEncoding('latin1').on('error', () => undefined)
    let received = ''
    socket.on('data', (chunk: string) => {
      received += chunk
      // Every response of this app ends with the same brackets.
      for (let end = received.indexOf('}]}'); end >= 0; end = received.indexOf('}]}')) {
        received = received.slice(end + 3)
        completed += 1
        if (completed === CLIENTS * 3) enough.resolve()
        socket.write(REQUEST)
      }
    })
    socket.write(REQUEST)
    // Not `once()` of events, which rejects when a closed connection is written to.
    await new Promise((resolve) => socket.on('close', resolve))
  })
  await enough.promise
  const exit = once(child, 'exit')
  const startedAtMs = performance.now()
  child.kill('SIGTERM')
  const [code] = (await exit) as [number | null]
  const exitMs = performance.now() - startedAtMs
  await Promise.all(clients)
  const started = Number(/started (\d+)/.exec(printed)?.[1] ?? Number.NaN)
  return { started, completed, code, exitMs }
}
