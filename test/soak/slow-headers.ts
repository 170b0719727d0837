import type { Socket } from 'node:net'
import { serve } from '../../src/runtime/node/serve.ts'
import { noAuth, sidecard, text } from '../../src/index.ts'
import { open } from '../helpers/raw-http.ts'
import { createFailureList, percentile, type Soak } from './soak.ts'

const HEADERS_TIMEOUT_MS = 10_000
const BYTE_INTERVAL_MS = 100
const SAMPLES = 3_000

/**
 * Sockets that send their headers one byte at a time. Each is closed at the
 * timeout, and other requests are served as usual. A small count uses a shorter
 * timeout.
 */
export const slowHeadersSoak: Soak = async ({ count }) => {
  const headersTimeoutMs = count < 100 ? 500 : HEADERS_TIMEOUT_MS
  const found = createFailureList()
  const app = sidecard({
    header: { title: 'Soak' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'a', value: 'b' })],
  })
  const server = await serve(app, { port: 0, handleSignals: false, headersTimeoutMs })
  const ask = async (): Promise<number> => {
    const started = performance.now()
    const response = await fetch(`${server.url}/?request_type=fetch_data`)
    await response.text()
    if (response.status !== 200) found.add(`a valid request returned ${response.status}`)
    return performance.now() - started
  }
  const sample = async (isEnough: (samples: number) => boolean) => {
    const times: number[] = []
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    while (!isEnough(times.length)) times.push(await ask())
    return percentile(times, 0.99)
  }
  const fixedSample = () => sample((samples) => samples === SAMPLES)
  try {
    await fixedSample()
    const usual = await fixedSample()
    const started = performance.now()
    const sockets = await Promise.all(Array.from({ length: count }, () => open(server.port)))
    const closings = sockets.map((socket, index) =>
      sendSlowlyUntilClosed(socket, started, (index / count) * BYTE_INTERVAL_MS),
    )
    let isOver = false
    const lastClosing = Promise.all(closings).finally(() => {
      isOver = true
    })
    const underAttack = await sample(() => isOver)
    const closedAfterMs = Math.round(Math.max(...(await lastClosing)))
    const limitMs = headersTimeoutMs + 2_000
    if (closedAfterMs > limitMs) found.add(`the last socket was closed after ${closedAfterMs} ms`)
    return {
      figures: {
        sockets: count,
        lastClosedAfterMs: closedAfterMs,
        limitMs,
        usualP99Ms: usual.toFixed(2),
        p99UnderAttackMs: underAttack.toFixed(2),
        failures: found.count,
      },
      failures: found.failures,
    }
  } finally {
    await server.close()
  }
}

/**
 * Sends one byte per interval, each socket with its own offset.
 *
 * @returns how long after the start the server closed the connection, in milliseconds
 */
function sendSlowlyUntilClosed(socket: Socket, started: number, offsetMs: number): Promise<number> {
  return new Promise((resolve) => {
    socket.write('GET /?request_type=fetch_data HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    let interval: NodeJS.Timeout | undefined
    const start = setTimeout(() => {
      interval = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS)
    }, offsetMs)
    socket.resume().on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(start)
      clearInterval(interval)
      resolve(performance.now() - started)
    })
  })
}
