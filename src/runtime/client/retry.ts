import { integer, milliseconds, type ReadOptions, withDefault } from '../internal/read-options.ts'
import type { AttemptFailure, HttpResponse } from './attempt.ts'

/** Options of retries. */
export interface RetryOptions {
  /** The maximum number of retries after the first attempt, 0 to 20. @default 2 */
  readonly maxRetries?: number | undefined
  /**
   * The back-off before the first retry, in milliseconds. It doubles with each
   * retry. @default 500
   */
  readonly baseDelayMs?: number | undefined
  /** The maximum back-off, in milliseconds. @default 8000 */
  readonly maxDelayMs?: number | undefined
}

/** The kinds of {@link RetryOptions}. */
export const RETRY_KINDS = {
  maxRetries: withDefault(integer(0, 20), 2),
  baseDelayMs: withDefault(milliseconds(0), 500),
  maxDelayMs: withDefault(milliseconds(0), 8_000),
}

/** {@link RetryOptions} with defaults applied. */
export type ResolvedRetry = ReadOptions<RetryOptions, typeof RETRY_KINDS>

/** The maximum delay that the API can request (A13). */
export const MAX_RETRY_AFTER_MS = 60_000

/**
 * Returns the delay before the next attempt in milliseconds, or `undefined` if the
 * call must not be retried. A read is retried after 408, 429, 5xx and network
 * failures. A write is only retried after 429, because the API may have processed
 * it in the other cases. The back-off is random (full jitter).
 */
export function waitBeforeRetry(
  result: HttpResponse | AttemptFailure,
  method: string,
  retriesSoFar: number,
  { maxRetries, baseDelayMs, maxDelayMs }: ResolvedRetry,
): number | undefined {
  if (retriesSoFar >= maxRetries) return undefined
  const backOff = Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retriesSoFar)
  if ('kind' in result) {
    return result.kind === 'network_error' && method === 'GET' ? backOff : undefined
  }
  const { status, headers } = result
  const isTemporary = status === 408 || (status >= 500 && status <= 599)
  if (status !== 429 && !(isTemporary && method === 'GET')) return undefined
  const wait = retryAfterMs(headers, Date.now())
  if (wait === undefined) return backOff
  return wait <= MAX_RETRY_AFTER_MS ? wait : undefined
}

/**
 * Returns the delay in milliseconds that `Retry-After` or `X-Retry-After` requests
 * (A13), in seconds or as a date. A date is compared with the response's `Date`,
 * because the two clocks may differ, or with `now` if there is none. Returns 0 for
 * a date in the past, and `undefined` if neither header is valid.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const serverNow = parseHttpDate(headers.get('date') ?? '') ?? now
  for (const name of ['retry-after', 'x-retry-after']) {
    const value = headers.get(name)?.trim() ?? ''
    if (/^\d+(?:\.\d+)?$/.test(value))
      return Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER)
    const date = parseHttpDate(value)
    if (date !== undefined) return Math.max(0, date - serverNow)
  }
  return undefined
}

/** Parses an HTTP date, and nothing else, because `Date.parse` accepts almost any text. */
function parseHttpDate(value: string): number | undefined {
  const date = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}
