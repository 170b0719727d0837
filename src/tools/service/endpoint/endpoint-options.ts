import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import {
  findUnknownName,
  flag,
  func,
  headerRecord,
  type HeadersOption,
  integer,
  invalidOption,
  isRecord,
  type Kind,
  kind,
  milliseconds,
  type ReadOptions,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import { MAX_BODY_BYTES } from './body.ts'
import type { SendRequest, Target } from './target.ts'

/** Options of `createEndpointClient()`. */
export interface EndpointClientOptions {
  readonly target: Target
  /** The URL that an in-process endpoint sees. @default 'http://sidecard.test/' */
  readonly url?: string | URL
  /** The custom headers of the app, sent with each request. @default {} */
  readonly headers?: HeadersOption
  /** Timeout per response, in milliseconds: 1 to 2,147,483,647. @default 6000 (A7) */
  readonly timeoutMs?: number
  /** The limit for a body after decompression, up to 2,147,483,648. @default 1048576 */
  readonly maxBodyBytes?: number
  /** Returns the time in milliseconds. @default Date.now */
  readonly now?: () => number
  /** Sends requests to a URL. @default globalThis.fetch */
  readonly fetch?: SendRequest
  /**
   * Requests the errors behind failures (`x-sidecard-dev: 1`). An endpoint only
   * sends them in development. @default false
   */
  readonly dev?: boolean
}

/** The kinds of the options that all functions for endpoints share. */
export const ENDPOINT_KINDS = {
  // Only the types are checked here: `invalid_target` and `invalid_header` explain invalid values.
  url: kind<string | URL>('a URL', (value) => typeof value === 'string' || value instanceof URL),
  headers: withDefault(headerRecord, {}),
  // The contract does not say how long the service waits (A7). The default is one second more than
  // the timeout of an app, so that the response of an app that timed out arrives.
  timeoutMs: withDefault(milliseconds(), 6_000),
  maxBodyBytes: withDefault(integer(1, 2 ** 31, ' (bytes)'), MAX_BODY_BYTES),
  now: withDefault<() => number>(func, () => Date.now()),
  fetch: func,
  dev: withDefault(flag, false),
}

/** {@link EndpointClientOptions} with defaults applied. */
export type EndpointSettings = ReadOptions<
  Omit<EndpointClientOptions, 'target'>,
  typeof ENDPOINT_KINDS
>

/** The kinds of the options of a rendering as text. */
export const RENDER_KINDS = {
  width: withDefault(integer(20, 1_000), 44),
  timeZone: withDefault(
    kind<string>('an IANA name, such as Europe/Amsterdam', (value) => {
      try {
        return typeof value === 'string' && Boolean(Intl.DateTimeFormat('en', { timeZone: value }))
      } catch {
        return false
      }
    }),
    'UTC',
  ),
}

const ID = kind('a string', (value) => value === undefined || typeof value === 'string')

/**
 * Rejects unknown IDs, and IDs of the wrong type, because the test would see the
 * data of another customer.
 *
 * @param path the path of the IDs in the caller's options, such as `params.`
 * @throws {SidecardError} `invalid_options`
 */
export function assertIds(caller: string, ids: unknown, path = '', id: Kind<unknown> = ID): void {
  if (!isRecord(ids)) throw invalidOption(caller, path.slice(0, -1) || 'the IDs', 'an object', ids)
  const unknown = findUnknownName('ID', ids, FETCH_DATA_PARAMETERS, path)
  if (unknown !== undefined) throw new SidecardError('invalid_options', `${caller}: ${unknown}`)
  for (const [name, value] of Object.entries(ids)) {
    if (!id.accepts(value)) throw invalidOption(caller, path + name, id.expected, value)
  }
}
