import { SidecardError } from '../../runtime/internal/errors.ts'
import {
  flag,
  func,
  integer,
  kind,
  listOf,
  milliseconds,
  oneOf,
  readOptions,
  record,
  type ReadOptions,
  strings,
  withDefault,
} from '../../runtime/internal/read-options.ts'
import { ENDPOINT_KINDS, type EndpointClientOptions } from '../service/endpoint/endpoint-options.ts'
import type { SendRequest } from '../service/endpoint/target.ts'
import {
  assertUnknown,
  readCheckCustomers,
  type CheckCustomer,
  type UnknownCustomers,
} from './check-customers.ts'
import { randomToken, type RandomToken } from './customers.ts'

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
 */
export type CheckProfile = 'full' | 'production'

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

/** Options of `check()`. */
export interface CheckOptions extends Omit<EndpointClientOptions, 'target'> {
  /**
   * At most 20 customers that the endpoint knows. Missing IDs are made up. Isolation
   * is proven only with the `shows` of two customers.
   * @default []
   */
  readonly customers?: readonly CheckCustomer[]
  /**
   * Texts of which the sidebar of an unknown customer shows one, such as `No
   * subscription`. They prove that it shows nobody’s data if it has the components of
   * a known customer’s sidebar.
   * @default { shows: [] }
   */
  readonly unknown?: UnknownCustomers
  /** The number of handshakes, and of data fetches, that must all succeed, 1 to 50. @default 5 */
  readonly samples?: number
  /**
   * The number of data fetches for each passed customer, 2 to 1000, most of them while the
   * others are read. With 100, a mix-up in 5 % of the responses to one of two
   * customers is found in at least 99 % of runs.
   * @default 100
   */
  readonly isolationSamples?: number
  /**
   * The number of additional handshakes, and of additional data fetches, whose
   * latency is measured, 0 to 1000. @default 0
   */
  readonly latencySamples?: number
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
  customers: withDefault(
    kind<readonly CheckCustomer[]>(
      'an array of up to 20 customers, such as { ids: { account_id }, shows: [name] }',
      (value) => listOf('', () => true).accepts(value) && (value as unknown[]).length <= 20,
    ),
    [],
  ),
  unknown: withDefault<UnknownCustomers>(record, { shows: [] }),
  samples: withDefault(integer(1, 50), 5),
  isolationSamples: withDefault(integer(2, 1_000), 100),
  latencySamples: withDefault(integer(0, 1_000), 0),
  maxP95Ms: milliseconds(),
  profile: withDefault(oneOf('full', 'production'), 'full'),
  expectAuth: withDefault(
    kind<boolean | 'detect'>("true, false or 'detect'", (value) =>
      [true, false, 'detect'].includes(value as boolean),
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
export interface Settings extends Omit<ReadOptions<CheckOptions, typeof CHECK_KINDS>, 'customers'> {
  /** At least one entry. Without customers, it has no IDs. */
  readonly customers: readonly [Required<CheckCustomer>, ...Array<Required<CheckCustomer>>]
}

/**
 * Reads the options.
 *
 * @throws {SidecardError} `invalid_options` for an unknown name, an invalid value, or `expectAuth` without headers.
 */
export function resolveSettings(options: CheckOptions): Settings {
  const { customers, ...settings } = readOptions('check', options, CHECK_KINDS)
  const { expectAuth, headers } = settings
  if (expectAuth === true && Object.keys(headers).length === 0) {
    throw new SidecardError(
      'invalid_options',
      'check: expectAuth requires the custom headers with the secret.',
    )
  }
  assertUnknown(settings.unknown)
  const [first = { ids: {}, shows: [] }, ...others] = readCheckCustomers(customers)
  return { ...settings, customers: [first, ...others] }
}
