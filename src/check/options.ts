import { SidecardError } from '../internal/errors.ts'
import { isArray } from '../internal/hostile-values.ts'
import {
  flag,
  func,
  integer,
  isRecord,
  kind,
  milliseconds,
  oneOf,
  readOptions,
  type ReadOptions,
  strings,
  withDefault,
} from '../internal/read-options.ts'
import {
  assertIds,
  ENDPOINT_KINDS,
  type EndpointClientOptions,
} from '../service/endpoint-options.ts'
import type { FetchDataIds } from '../service/query.ts'
import type { SendRequest } from '../service/target.ts'
import { hasCustomIds, randomToken, type RandomToken } from './customers.ts'

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
 * - `monitor`: one handshake, one data fetch for each customer, and a last handshake.
 */
export type CheckProfile = 'full' | 'production' | 'monitor'

/** One kept-alive connection. Not every transport can provide one. */
export interface Connection {
  /** Sends a request on this connection. */
  readonly send: SendRequest
  /** Returns whether the last request used the same connection as the one before. */
  readonly wasReused: () => boolean
  /** Returns whether bytes arrived that belong to no response, other than line breaks. */
  readonly hasExtraBytes: () => boolean
  readonly close: () => void
}

/** Options for `check()`. */
export interface CheckOptions extends Omit<EndpointClientOptions, 'target'> {
  /**
   * IDs of a customer that the endpoint knows, or of at most 20 customers. IDs
   * that are missing are made up.
   * @default {}
   */
  readonly params?: FetchDataIds | readonly FetchDataIds[]
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

const only = kind<readonly string[]>('an array of rules or groups', strings.accepts)

/** The kinds of the options, with their defaults. */
export const CHECK_KINDS = {
  ...ENDPOINT_KINDS,
  params: withDefault(
    kind<FetchDataIds | readonly FetchDataIds[]>(
      'an object of IDs, or an array of up to 20 of them',
      (value) => isRecord(value) || (isArray(value) && value.length <= 20),
    ),
    {},
  ),
  samples: withDefault(integer(1, 50), 5),
  repeat: withDefault(integer(0, 1_000), 0),
  maxP95Ms: milliseconds(),
  profile: withDefault(oneOf('full', 'production', 'monitor'), 'full'),
  expectAuth: withDefault(
    kind<boolean | 'detect'>(
      "true, false or 'detect'",
      (value) => typeof value === 'boolean' || value === 'detect',
    ),
    'detect',
  ),
  only,
  skip: withDefault(only, []),
  maxWaitMs: withDefault(milliseconds(0, 600_000), 30_000),
  details: withDefault(flag, false),
  onProgress: withDefault<(progress: Progress) => void>(func, () => undefined),
  openConnection: func,
  sleep: withDefault<(ms: number) => Promise<void>>(
    func,
    (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ),
  randomToken: withDefault<RandomToken>(func, randomToken),
  // Fractions of a millisecond are needed to order the ends of two quick requests.
  now: withDefault<() => number>(func, () => performance.timeOrigin + performance.now()),
}

/** The options with defaults applied. */
export interface Settings extends Omit<ReadOptions<CheckOptions, typeof CHECK_KINDS>, 'params'> {
  /** At least one entry. */
  readonly customers: readonly [FetchDataIds, ...FetchDataIds[]]
}

/**
 * Reads the options.
 *
 * @throws {SidecardError} `invalid_options` for an unknown name, an invalid value, or `expectAuth` without headers.
 */
export function resolveSettings(options: CheckOptions): Settings {
  const { params, ...settings } = readOptions('check', options, CHECK_KINDS)
  const { expectAuth, headers, profile, samples } = settings
  if (expectAuth === true && Object.keys(headers).length === 0) {
    throw new SidecardError(
      'invalid_options',
      'check: expectAuth requires the custom headers with the secret.',
    )
  }
  const isList = isArray(params)
  const [first = {}, ...others] = isList ? params : [params]
  for (const [index, customer] of [first, ...others].entries()) {
    assertIds('check', customer, isList ? `params[${index}].` : 'params.')
  }
  return {
    ...settings,
    customers: [first, ...others.filter((each) => hasCustomIds(each))],
    samples: profile === 'monitor' ? 1 : samples,
  }
}
