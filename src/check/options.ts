import { SidecardError } from '../errors.ts'
import type { CallerOptions } from '../desk/caller.ts'
import { DEFAULT_TIMEOUT_MS } from '../desk/exchange.ts'
import type { FetchDataIds } from '../desk/query.ts'

/** What the checker tells a watcher while it runs. */
export interface Progress {
  /** What is happening now, such as `shaking hands`. */
  readonly step: string
  /** Requests that have ended so far. */
  readonly requests: number
}

/** How an endpoint is checked. */
export interface CheckOptions extends Omit<CallerOptions, 'target'> {
  /** Ids of a customer that the endpoint knows; invented ones are sent in their place. @default {} */
  readonly ids?: FetchDataIds
  /** How many handshakes and how many data fetches must all be right; 1 to 50. @default 5 */
  readonly samples?: number
  /**
   * Whether requests without the right custom headers must be refused. `true`:
   * an endpoint that answers them fails. `false`: it is never more than a
   * warning. `detect`: it fails when the endpoint refuses some of them and
   * answers others, which is a hole in a fence that is meant to stand.
   * @default 'detect'
   */
  readonly expectAuth?: boolean | 'detect'
  /** Ids of rules or names of groups to judge; all others are left out. @default all */
  readonly only?: readonly string[]
  /** Ids of rules or names of groups to leave out. @default none */
  readonly skip?: readonly string[]
  /** Called as the check goes on. */
  readonly onProgress?: (progress: Progress) => void
  /** Makes the unique part of codes and ids: letters and digits, ten or more. @default random */
  readonly randomToken?: () => string
}

/** The most handshakes and the most data fetches that `samples` may ask for. */
export const MAX_SAMPLES = 50

/** Options with their defaults. */
export interface Settings {
  readonly headers: Readonly<Record<string, string>>
  readonly ids: FetchDataIds
  readonly samples: number
  readonly timeoutMs: number
  readonly expectAuth: boolean | 'detect'
}

/**
 * Fills the defaults in.
 *
 * @throws {SidecardError} `invalid_option` for a value out of its range, or `expectAuth` without headers.
 */
export function settingsOf(options: CheckOptions): Settings {
  const { headers = {}, ids = {}, samples = 5, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const expectAuth = options.expectAuth ?? 'detect'
  if (!Number.isInteger(samples) || samples < 1 || samples > MAX_SAMPLES) {
    throw new SidecardError(
      'invalid_option',
      `samples must be a whole number from 1 to ${MAX_SAMPLES}.`,
    )
  }
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0 || timeoutMs > 600_000) {
    throw new SidecardError(
      'invalid_option',
      'timeoutMs must be a number of milliseconds from 1 to 600000.',
    )
  }
  if (expectAuth === true && Object.keys(headers).length === 0) {
    throw new SidecardError(
      'invalid_option',
      'expectAuth needs the custom headers that carry the secret: without them every request is refused.',
    )
  }
  return { headers, ids, samples, timeoutMs, expectAuth }
}
