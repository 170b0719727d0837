import { SidecardError } from '../internal/errors.ts'
import { assertIds, assertOptionNames } from '../service/assert-options.ts'
import { ENDPOINT_OPTION_NAMES, type EndpointClientOptions } from '../service/endpoint-client.ts'
import { DEFAULT_TIMEOUT_MS } from '../service/exchange.ts'
import type { FetchDataIds } from '../service/query.ts'
import type { SendRequest } from '../service/target.ts'
import { hasCustomIds } from './customers.ts'

/** Progress of a running check. */
export interface Progress {
  /** The current step, such as `testing handshakes and data fetches`. */
  readonly step: string
  /** Requests that have completed so far. */
  readonly requests: number
}

/**
 * The set of requests that a check sends.
 *
 * - `full`: every request, including malformed ones.
 * - `production`: only well-formed requests, at most two at a time.
 * - `monitor`: one handshake, and one data fetch for each customer.
 */
export type CheckProfile = 'full' | 'production' | 'monitor'

/** One kept-alive connection. Not every transport can provide one. */
export interface Connection {
  /** Sends a request on this connection. */
  readonly send: SendRequest
  /** Returns whether the last request used the same connection as the one before. */
  readonly wasReused: () => boolean
  readonly close: () => void
}

/** Options for `check()`. */
export interface CheckOptions extends Omit<EndpointClientOptions, 'target'> {
  /**
   * IDs of a customer that the endpoint knows, or of at most 20 customers. IDs
   * that are missing are made up.
   * @default {}
   */
  readonly ids?: FetchDataIds | readonly FetchDataIds[]
  /** The number of handshakes, and of data fetches, that must all succeed, 1 to 50. @default 5 */
  readonly samples?: number
  /** The number of additional handshakes, and of data fetches, to measure, 0 to 1000. @default 0 */
  readonly repeat?: number
  /**
   * The latency budget in milliseconds. The run fails if the 95th percentile of
   * the handshakes or of the data fetches exceeds it.
   */
  readonly maxP95Ms?: number
  /** The set of requests to send. @default 'full' */
  readonly profile?: CheckProfile
  /**
   * Whether unauthenticated requests must be rejected. `true`: the run fails if
   * one is accepted. `false`: it is only a warning. `'detect'`: the run fails if
   * the endpoint rejects some of them and accepts others.
   * @default 'detect'
   */
  readonly expectAuth?: boolean | 'detect'
  /** IDs of rules or names of groups to run; at least one rule must remain. @default all */
  readonly only?: readonly string[]
  /** IDs of rules or names of groups to skip. @default none */
  readonly skip?: readonly string[]
  /**
   * The total time to wait for an endpoint that limits the rate of requests (429,
   * or 503 with Retry-After), in milliseconds, 0 to 600000.
   * @default 30000
   */
  readonly maxWaitMs?: number
  /**
   * Adds the last payload and a record of every request to the report. The
   * payload contains the data of the customer.
   * @default false
   */
  readonly details?: boolean
  /** Called when the check makes progress. */
  readonly onProgress?: (progress: Progress) => void
  /** Opens one connection for several requests. Without it, connection reuse is not tested. */
  readonly openConnection?: () => Connection
  /** Waits for a number of milliseconds. @default setTimeout */
  readonly sleep?: (ms: number) => Promise<void>
  /** Creates the unique part of codes and IDs: ten or more letters and digits. @default random */
  readonly randomToken?: () => string
}

const OPTION_NAMES = {
  ...ENDPOINT_OPTION_NAMES,
  ids: true,
  samples: true,
  repeat: true,
  maxP95Ms: true,
  profile: true,
  expectAuth: true,
  only: true,
  skip: true,
  maxWaitMs: true,
  details: true,
  onProgress: true,
  openConnection: true,
  sleep: true,
  randomToken: true,
} satisfies Readonly<Record<keyof CheckOptions, true>>

/** The largest value of `samples`. */
export const MAX_SAMPLES = 50

/** The largest value of `repeat`. */
export const MAX_REPEAT = 1_000

const MAX_CUSTOMERS = 20

/** The options with defaults applied. */
export interface Settings {
  readonly headers: Readonly<Record<string, string>>
  /** At least one entry. */
  readonly customers: readonly [FetchDataIds, ...FetchDataIds[]]
  readonly samples: number
  readonly repeat: number
  readonly maxP95Ms: number | undefined
  readonly profile: CheckProfile
  readonly timeoutMs: number
  readonly maxWaitMs: number
  readonly expectAuth: boolean | 'detect'
}

/**
 * Applies the defaults.
 *
 * @throws {SidecardError} `invalid_options` for an unknown name, a value out of range, or `expectAuth` without headers.
 */
export function resolveSettings(options: CheckOptions): Settings {
  assertOptionNames('check', options, OPTION_NAMES)
  const {
    headers = {},
    ids = {},
    samples = 5,
    repeat = 0,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  } = options
  const { expectAuth = 'detect', maxP95Ms, maxWaitMs = 30_000, profile = 'full' } = options
  assertInteger('samples', samples, 1, MAX_SAMPLES)
  assertInteger('repeat', repeat, 0, MAX_REPEAT)
  assertMilliseconds('timeoutMs', timeoutMs, 1)
  assertMilliseconds('maxWaitMs', maxWaitMs, 0)
  if (maxP95Ms !== undefined) assertMilliseconds('maxP95Ms', maxP95Ms, 1)
  if (!['full', 'production', 'monitor'].includes(profile)) {
    throw invalid("profile must be 'full', 'production' or 'monitor'.")
  }
  if (expectAuth !== true && expectAuth !== false && expectAuth !== 'detect') {
    throw invalid("expectAuth must be true, false or 'detect'.")
  }
  if (expectAuth === true && Object.keys(headers).length === 0) {
    throw invalid('expectAuth requires the custom headers with the secret.')
  }
  const [first = {}, ...others] = (Array.isArray(ids) ? ids : [ids]) as readonly FetchDataIds[]
  for (const customer of [first, ...others]) assertIds('check', customer)
  if (others.length >= MAX_CUSTOMERS) {
    throw invalid(`ids must not contain more than ${MAX_CUSTOMERS} customers.`)
  }
  const customers = [first, ...others.filter((each) => hasCustomIds(each))] as const
  return {
    headers,
    customers,
    samples: profile === 'monitor' ? 1 : samples,
    repeat,
    maxP95Ms,
    profile,
    timeoutMs,
    maxWaitMs,
    expectAuth,
  }
}

function assertInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw invalid(`${name} must be an integer from ${min} to ${max}.`)
  }
}

function assertMilliseconds(name: string, value: number, min: number): void {
  if (!Number.isFinite(value) || value < min || value > 600_000) {
    throw invalid(`${name} must be a number of milliseconds from ${min} to 600000.`)
  }
}

function invalid(message: string): SidecardError {
  return new SidecardError('invalid_options', message)
}
