import type { Logger } from '../internal/logger.ts'
import {
  anything,
  func,
  headerRecord,
  type HeadersOption,
  hasMethods,
  integer,
  isRecord,
  kind,
  milliseconds,
  oneOf,
  readOptions,
  type ReadOptions,
  withDefault,
} from '../internal/read-options.ts'
import { assertAccessToken } from './access-token.ts'
import { baseUrl, parseBaseUrl } from './base-url.ts'
import { type Sleep, sleep as realSleep } from './sleep.ts'
import { type ResolvedRetry, RETRY_KINDS, type RetryOptions } from './retry.ts'

/** A `fetch` function, such as the runtime's or an emulator's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, including the wait between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of one attempt including its body, in milliseconds: 1 to 2,147,483,647. */
  readonly timeoutMs?: number | undefined
  /** Sent in addition to the client's own headers. */
  readonly headers?: HeadersOption | undefined
}

/** Options of `createClient()`. */
export interface ClientOptions extends CallOptions {
  /** The URL of the API: `https`, or `http` to this machine. It may have a path. */
  readonly baseUrl: string | URL
  /** The bearer token, or a function that returns it, called before each attempt. */
  readonly accessToken: string | (() => string | Promise<string>)
  /**
   * The timeout of one attempt including its body, in milliseconds: 1 to 2,147,483,647.
   * @default 10000
   */
  readonly timeoutMs?: number | undefined
  /** How calls are retried; `false` never retries. */
  readonly retry?: RetryOptions | false | undefined
  /** The maximum number of pages of a list. @default 1000 */
  readonly maxPages?: number | undefined
  /**
   * How `tasks.create` sends its fields: as query parameters, which the contract
   * specifies, or as a JSON body.
   * @default 'query'
   */
  readonly createTask?: 'query' | 'json' | undefined
  /** Receives a log line for each attempt (`debug`) and for long URLs (`warn`), without values. */
  readonly logger?: Logger | undefined
  /** The function that sends the requests, such as an emulator's `fetch`. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined
  /** Returns the time in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined
  /**
   * Resolves after `ms` milliseconds, or rejects if the signal aborts.
   * @default on the real clock
   */
  readonly sleep?: Sleep | undefined
  /** Returns a number from 0 to below 1, for the jitter of the back-off. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** The kinds of the options of a single call. */
export const CALL_KINDS = {
  signal: kind<AbortSignal>(
    'an AbortSignal',
    (value) =>
      hasMethods(value, 'addEventListener') &&
      typeof (value as { aborted?: unknown }).aborted === 'boolean',
  ),
  timeoutMs: milliseconds(),
  headers: {
    ...headerRecord,
    expected: 'an object of valid header names and strings, or Headers',
    accepts: isHeaders,
  },
}

/** {@link CallOptions} after reading. */
export type ReadCallOptions = ReadOptions<CallOptions, typeof CALL_KINDS>

const CLIENT_KINDS = {
  baseUrl,
  // Its own error says more, and never contains it.
  accessToken: anything,
  timeoutMs: withDefault(CALL_KINDS.timeoutMs, 10_000),
  signal: CALL_KINDS.signal,
  headers: withDefault(CALL_KINDS.headers, {}),
  retry: withDefault(
    kind<RetryOptions | false>('an object or false', (value) => value === false || isRecord(value)),
    {},
  ),
  maxPages: withDefault(integer(1, Infinity), 1_000),
  createTask: withDefault(oneOf('query', 'json'), 'query'),
  logger: kind<Logger>('an object such as console', isRecord),
  // It is called as a plain function, because a method call is an "Illegal invocation" on
  // Workers.
  fetch: withDefault<Fetch>(func, (url, init) => globalThis.fetch(url, init)),
  now: withDefault<() => number>(func, () => Date.now()),
  sleep: withDefault<Sleep>(func, realSleep),
  random: withDefault<() => number>(func, () => Math.random()),
}

/** The options with defaults applied. */
export interface ClientConfig extends Omit<
  ReadOptions<ClientOptions, typeof CLIENT_KINDS>,
  'baseUrl' | 'accessToken' | 'retry'
> {
  readonly baseUrl: string
  readonly accessToken: ClientOptions['accessToken']
  readonly retry: ResolvedRetry
}

/**
 * Validates options once, when the client is created.
 *
 * @throws {SidecardError} `invalid_options` or `invalid_access_token`
 */
export function resolveClientOptions(options: ClientOptions): ClientConfig {
  const { retry, accessToken, ...config } = readOptions('createClient', options, CLIENT_KINDS)
  return {
    ...config,
    baseUrl: parseBaseUrl(config.baseUrl),
    accessToken: typeof accessToken === 'function' ? accessToken : assertAccessToken(accessToken),
    retry: readOptions(
      'createClient',
      retry === false ? { maxRetries: 0 } : retry,
      RETRY_KINDS,
      'retry.',
    ),
  }
}

/** Decides as the runtime does. An error of the runtime would contain the value. */
function isHeaders(value: unknown): boolean {
  if (!headerRecord.accepts(value)) return false
  try {
    return Boolean(new Headers(value as HeadersOption))
  } catch {
    return false
  }
}
