import type { Exchange } from '../../service/endpoint/exchange.ts'
import { createLimiter } from './limiter.ts'

/** Sends requests, and waits while the endpoint limits their rate. */
export type RateGate = ReturnType<typeof createRateGate>

/**
 * The minimum delay, so that an endpoint that always returns `Retry-After: 0` uses
 * up the maximum wait.
 */
const MIN_DELAY_MS = 100

/** Creates the gate of one check. After the first rejected request, it sends one at a time. */
export function createRateGate(maxWaitMs: number, sleep: (ms: number) => Promise<void>) {
  const oneAtATime = createLimiter(1)
  let waitedMs = 0
  let pauses = 0
  let isLimited = false
  let isUsedUp = false

  /** Returns false if the delay exceeds the remaining wait. */
  async function pause(delayMs: number): Promise<boolean> {
    isLimited = true
    // If a limit lasts longer than the maximum wait, later requests are not sent at all.
    isUsedUp ||= waitedMs + delayMs > maxWaitMs
    if (isUsedUp) return false
    waitedMs += delayMs
    pauses += 1
    await sleep(delayMs)
    return true
  }

  /** Also returns whether the endpoint still limited the rate at the end of the maximum wait. */
  async function sendUntilAccepted(send: () => Promise<Exchange>, rejected?: Exchange) {
    let exchange = rejected ?? (await send())
    for (let attempt = 0; ; attempt += 1) {
      const delayMs = retryDelay(exchange, attempt)
      if (delayMs === undefined) return { exchange, rateLimited: false }
      // oxlint-disable-next-line no-await-in-loop -- each attempt depends on the one before
      if (!(await pause(delayMs))) return { exchange, rateLimited: true }
      // oxlint-disable-next-line no-await-in-loop -- as above
      exchange = await send()
    }
  }

  return {
    /** Returns the total time that the gate has waited, in milliseconds. */
    waitedMs: () => waitedMs,
    async send(send: () => Promise<Exchange>) {
      if (isLimited) return oneAtATime(() => sendUntilAccepted(send))
      const before = pauses
      const exchange = await send()
      if (retryDelay(exchange, 0) === undefined) return { exchange, rateLimited: false }
      isLimited = true
      // If several requests are rejected together, only the first one waits.
      return oneAtATime(() => sendUntilAccepted(send, pauses === before ? exchange : undefined))
    },
  }
}

/**
 * Returns the delay that a response requests, in milliseconds, or `undefined` if
 * it does not limit the rate.
 */
function retryDelay({ response }: Exchange, attempt: number): number | undefined {
  if (response === undefined) return undefined
  const { status, headers } = response
  const value = headers['retry-after']
  if (status !== 429 && !(status === 503 && value !== undefined)) return undefined
  return Math.max(
    MIN_DELAY_MS,
    parseRetryAfter(value, headers['date']) ?? 1_000 * 2 ** Math.min(attempt, 6),
  )
}

function parseRetryAfter(value = '', sentAt = ''): number | undefined {
  const seconds = /^\s*(\d{1,9})\s*$/.exec(value)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1_000
  const delayMs = Date.parse(value) - (Date.parse(sentAt) || Date.now())
  return Number.isNaN(delayMs) ? undefined : delayMs
}
