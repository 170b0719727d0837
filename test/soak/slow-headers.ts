import type { Socket } from 'node:net'
import { serve } from '../../src/node/serve.ts'
import { noAuth, sidecard, text } from '../../src/index.ts'
import { open } from '../helpers/raw-http.ts'
import { failureList, percentile, type Soak } from './soak.ts'

const HEADERS_TIMEOUT_MS = 10_000
const DRIP_MS = 100
const SAMPLES = 3_000

/**
 * Sockets that send their headers a byte at a time: each is cut, and meanwhile
 * others are served as usual. A small count also waits for less.
 */
export const slowHeadersSoak: Soak = async ({ count }) => {
  const headersTimeoutMs = count < 100 ? 500 : HEADERS_TIMEOUT_MS
  const found = failureList()
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
    if (response.status !== 200) found.add(`a healthy request was answered ${response.status}`)
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
    const cuts = sockets.map((socket, index) =>
      dripUntilCut(socket, started, (index / count) * DRIP_MS),
    )
    let isOver = false
    const lastCut = Promise.all(cuts).finally(() => {
      isOver = true
    })
    const besieged = await sample(() => isOver)
    const cutAfterMs = Math.round(Math.max(...(await lastCut)))
    const limitMs = headersTimeoutMs + 2_000
    if (cutAfterMs > limitMs) found.add(`the last was cut after ${cutAfterMs} ms`)
    return {
      figures: {
        sockets: count,
        lastCutAfterMs: cutAfterMs,
        limitMs,
        usualP99Ms: usual.toFixed(2),
        besiegedP99Ms: besieged.toFixed(2),
        failures: found.count,
      },
      failures: found.failures,
    }
  } finally {
    await server.close()
  }
}

/**
 * Sends a byte now and then, each socket at its own moment.
 *
 * @returns how long after the start the server had enough of it, in milliseconds
 */
function dripUntilCut(socket: Socket, started: number, offsetMs: number): Promise<number> {
  return new Promise((resolve) => {
    socket.write('GET /?request_type=fetch_data HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    let drip: NodeJS.Timeout | undefined
    const start = setTimeout(() => {
      drip = setInterval(() => socket.write('a'), DRIP_MS)
    }, offsetMs)
    socket.resume().on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(start)
      clearInterval(drip)
      resolve(performance.now() - started)
    })
  })
}
