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
  readOptions,
  type ReadOptions,
  withDefault,
} from '../internal/read-options.ts'
import { baseUrl, parseBaseUrl } from './base-url.ts'
import { ClientError } from './errors.ts'
import { type ResolvedRetry, RETRY_KINDS, type RetryOptions } from './retry.ts'

/** A `fetch` function, such as the runtime's or an emulator's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, including the wait between two attempts. */
  readonly signal?: AbortSignal | undefined
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
  /** Sent with every request, in addition to the client's own headers. */
  readonly headers?: HeadersOption | undefined
  /** How calls are retried; `false` never retries. @default 2 retries, after 500 and 1,000 ms */
  readonly retry?: RetryOptions | false | undefined
  /** The maximum number of pages of a list. @default 1000 */
  readonly maxPages?: number | undefined
  /** Receives a log line for each attempt (`debug`), without values. */
  readonly logger?: Logger | undefined
  /** The function that sends the requests, such as an emulator's `fetch`. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined
}

/** The kinds of the options of a single call. */
export const CALL_KINDS = {
  signal: kind<AbortSignal>(
    'an AbortSignal',
    (value) =>
      hasMethods(value, 'addEventListener') &&
      typeof (value as { aborted?: unknown }).aborted === 'boolean',
  ),
}

const CLIENT_KINDS = {
  baseUrl,
  // Its own error says more, and never contains it.
  accessToken: anything,
  timeoutMs: withDefault(milliseconds(), 10_000),
  ...CALL_KINDS,
  headers: withDefault(
    {
      ...headerRecord,
      expected: 'an object of valid header names and strings, or Headers',
      accepts: isHeaders,
    },
    {},
  ),
  retry: withDefault(
    kind<RetryOptions | false>('an object or false', (value) => value === false || isRecord(value)),
    {},
  ),
  maxPages: withDefault(integer(1, Infinity), 1_000),
  logger: kind<Logger>('an object such as console', isRecord),
  // It is called as a plain function, because a method call is an "Illegal invocation" on
  // Workers.
  fetch: withDefault<Fetch>(func, (url, init) => globalThis.fetch(url, init)),
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

/** Returns the token if it is valid in a header. The error does not repeat it. */
function assertAccessToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7E]+$/.test(token)) return token
  const hint =
    typeof token === 'string' && /^bearer\s/i.test(token)
      ? 'Pass the token without the word Bearer.'
      : 'Is the secret set?'
  throw new ClientError(
    'invalid_access_token',
    `createClient: accessToken must be non-empty printable ASCII without whitespace. ${hint}`,
  )
}

/**
 * Returns the token, or calls the function that returns it.
 *
 * @throws {ClientError} `invalid_access_token`
 */
export async function loadAccessToken(given: ClientOptions['accessToken']): Promise<string> {
  if (typeof given === 'string') return given
  let token: unknown
  try {
    token = await given()
  } catch {
    // The error is dropped, because its message may contain the token.
    throw new ClientError(
      'invalid_access_token',
      'createClient: accessToken: the token function threw.',
    )
  }
  return assertAccessToken(token)
}
