import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { memoryStore, sectionCache } from '../../src/runtime/cache/index.ts'
import { noAuth, section, sidecard, text } from '../../src/index.ts'
import { serve } from '../../src/runtime/node/index.ts'
import { createFailureList, percentile, type Soak } from './soak.ts'

const CONNECTIONS = 10
const CUSTOMERS = 3_000
const MEGABYTE = 1_048_576
/** A short run is too short for the heap to settle. */
const SETTLED_SECONDS = 60
/** Each connection has a socket at both ends, and on a busy machine not all of them are open. */
const LIMITS = { heapMB: 8, handles: 2 * CONNECTIONS, p99Ratio: 1.5 }

const cache = sectionCache({
  name: 'steady',
  store: memoryStore({ maxEntries: 1_000 }),
  ttlSeconds: 5,
  staleSeconds: 10,
})

/** A source with faults. One load in seven fails, and one in fifty exceeds the timeout. */
let loads = 0
async function load(id: string, signal: AbortSignal) {
  loads += 1
  if (loads % 50 === 0) await delay(60_000, undefined, { signal })
  if (loads % 7 === 0) throw new Error('injected')
  await delay(2)
  return text({ label: 'Errors', value: id })
}

/** What user code keeps of the last requests. */
const kept: unknown[] = []

/** User code as it is: it listens without an end, keeps signals, hangs and forgets promises. */
let notes = 0
async function loadNotes(id: string, signal: AbortSignal) {
  notes += 1
  signal.addEventListener('abort', () => (kept[notes % 100] = id))
  kept[notes % 100] = signal
  if (notes % 60 === 0) await new Promise(() => undefined)
  if (notes % 5_000 === 0) void delay(1).then(() => Promise.reject(new Error('forgotten')))
  return text({ label: 'Notes', value: id })
}

const app = sidecard({
  header: { title: 'Soak' },
  auth: noAuth(),
  logger: false,
  fetchData: (ctx) => {
    const id = ctx.require('account_id')
    ctx.signal.addEventListener('abort', () => kept.push(ctx))
    kept.length = Math.min(kept.length, 100)
    return [
      text({ label: 'Account', value: id }),
      section('Errors', (signal) => load(id, signal), { cache, key: [id], timeoutMs: 100 }),
      section('Notes', (signal) => loadNotes(id, signal), { timeoutMs: 100 }),
    ]
  },
})

/**
 * A server under load for `count` seconds, with faults: sources that fail and
 * hang, callers that disconnect, and malformed requests. Heap, handles and
 * latency must be the same at the start and at the end.
 */
export const steadySoak: Soak = async ({ count: seconds }) => {
  const found = createFailureList()
  await using server = await serve(app, { port: 0, handleSignals: false })
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const stopping = new AbortController()
  let sent = 0
  let times: number[] = []
  const clients = Array.from({ length: CONNECTIONS }, async () => {
    /* oxlint-disable no-await-in-loop -- one request after another on each connection */
    while (!stopping.signal.aborted) {
      const request = (sent += 1)
      if (request % 100 === 0) await injectFault(server.port, request)
      const startedAtMs = performance.now()
      await ask(`acc_${request % CUSTOMERS}`)
      times.push(performance.now() - startedAtMs)
      await delay(5)
    }
    /* oxlint-enable no-await-in-loop */
  })

  // The first fifth is the warm-up, in which the cache fills and the code is optimized.
  await delay(seconds * 200)
  times = []
  await delay(seconds * 200)
  const early = { ...(await measure()), p99: percentile(times, 0.99) }
  await delay(seconds * 400)
  times = []
  await delay(seconds * 200)
  const late = { ...(await measure()), p99: percentile(times, 0.99) }
  stopping.abort()
  await Promise.all(clients)
  agent.destroy()

  const heapMB = (late.heap - early.heap) / MEGABYTE
  const p99Ratio = late.p99 / early.p99
  if (late.handles - early.handles > LIMITS.handles) {
    found.add(`${late.handles} handles are open, ${early.handles} at the start`)
  }
  if (seconds >= SETTLED_SECONDS) {
    if (heapMB > LIMITS.heapMB) found.add(`the heap grew by ${heapMB.toFixed(1)} MB`)
    if (p99Ratio > LIMITS.p99Ratio) found.add(`p99 rose by the factor ${p99Ratio.toFixed(2)}`)
  }
  return {
    figures: {
      seconds,
      requests: sent,
      heapGrowthMB: heapMB.toFixed(2),
      handles: `${early.handles} → ${late.handles}`,
      p99Ms: `${early.p99.toFixed(1)} → ${late.p99.toFixed(1)}`,
      failures: found.count,
    },
    failures: found.failures,
  }

  function ask(id: string): Promise<void> {
    return new Promise((resolve) => {
      const url = `${server.url}/?request_type=fetch_data&organization_id=o&account_id=${id}`
      get(url, { agent }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('end', () => {
          const isComplete = response.statusCode === 200 && body.includes(`"value":"${id}"`)
          if (!isComplete) found.add(`${id} received ${response.statusCode}: ${body}`)
          resolve()
        })
      }).on('error', (error) => {
        found.add(`${id}: ${error.message}`)
        resolve()
      })
    })
  }
}

/** A caller that disconnects before the response, or sends bytes that are not a request. */
async function injectFault(port: number, request: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    request % 200 === 0
      ? 'GET /?request_type=fetch_data&organization_id=o&account_id=gone HTTP/1.1\r\nHost: x\r\n\r\n'
      : 'NOT HTTP\r\n\r\n',
  )
  await delay(3)
  socket.destroy()
}

/** Measures the heap after garbage collection, and the open handles. */
async function measure(): Promise<{ heap: number; handles: number }> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.()
    // oxlint-disable-next-line no-await-in-loop -- finalizers run one turn later
    await new Promise((resolve) => setImmediate(resolve))
  }
  // Timers are excluded, because requests create and clear them.
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout')
  return { heap: process.memoryUsage().heapUsed, handles: handles.length }
}
