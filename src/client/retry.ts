/** How calls are tried again. */
export interface RetryOptions {
  /** How often after the first attempt. @default 2 */
  readonly maxRetries?: number
  /** The back-off before the first retry, in milliseconds; it doubles. @default 500 */
  readonly baseDelayMs?: number
  /** The most that a back-off may be, in milliseconds. @default 8000 */
  readonly maxDelayMs?: number
}

/** The longest wait that the API may ask for (A13). */
export const MAX_RETRY_AFTER_MS = 60_000

/**
 * Whether an answered call may be sent again: a read on 408, 429 and 5xx, a
 * write on 429 only, since any other answer may come after the write was done.
 */
export function isRetryableStatus(method: string, status: number): boolean {
  if (status === 429) return true
  return method === 'GET' && (status === 408 || (status >= 500 && status <= 599))
}

/** Full jitter: anywhere from nothing to the back-off of this attempt. */
export function backOffMs(
  retry: Required<RetryOptions>,
  retriesSoFar: number,
  random: () => number,
): number {
  return random() * Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** retriesSoFar)
}

/**
 * How long the API asks to wait (A13), from `Retry-After` or `X-Retry-After`:
 * seconds, or a date; a date in the past is no wait. `undefined` when neither
 * can be read.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  for (const name of ['retry-after', 'x-retry-after']) {
    const value = headers.get(name)?.trim() ?? ''
    if (/^\d{1,10}(?:\.\d+)?$/.test(value)) return Number(value) * 1_000
    // Only the dates of HTTP: `Date.parse` would read almost anything as one.
    if (/^[A-Z][a-z]+,? /.test(value)) {
      const date = Date.parse(value)
      if (!Number.isNaN(date)) return Math.max(0, date - now)
    }
  }
  return undefined
}
