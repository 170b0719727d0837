import {
  anything,
  func,
  headerRecord,
  type HeadersOption,
  hasMethods,
  integer,
  invalidOption,
  kind,
  milliseconds,
  readOptions,
  withDefault,
} from '../internal/read-options.ts'
import type { Fetch } from './attempt.ts'
import { baseUrl } from './base-url.ts'
import { ClientError } from './errors.ts'
import { RETRY_KINDS, type RetryOptions } from './retry.ts'

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
  /** Headers to send with every request, in addition to the client's own. */
  readonly headers?: HeadersOption | undefined
  /** How calls are retried; `false` never retries. @default 2 retries, after 500 and 1,000 ms */
  readonly retry?: RetryOptions | false | undefined
  /** The maximum number of pages of a list. @default 1000 */
  readonly maxPages?: number | undefined
  /** The function that sends the requests, such as an emulator's `fetch`. @default globalThis.fetch */
  readonly fetch?: Fetch | undefined
}

/** The kinds of the options of a single call. */
export const CALL_KINDS = {
  signal: kind<AbortSignal>(
    'an AbortSignal',
    (value) => hasMethods(value, 'addEventListener') && 'aborted' in value,
  ),
}

const CLIENT_KINDS = {
  baseUrl,
  // The token's own error explains more and never contains the token.
  accessToken: anything,
  timeoutMs: withDefault(milliseconds(), 10_000),
  ...CALL_KINDS,
  headers: withDefault(headerRecord, {}),
  // The fields of `retry` are read below, unless it is false.
  retry: withDefault<RetryOptions | false>(anything, {}),
  maxPages: withDefault(integer(1, Infinity), 1_000),
  // `fetch` is called as a plain function, because a method call is an "Illegal invocation" on
  // Workers.
  fetch: withDefault<Fetch>(func, (url, init) => globalThis.fetch(url, init)),
}

/** The options with defaults applied. */
export type ClientConfig = ReturnType<typeof resolveClientOptions>

/**
 * Validates options once, when the client is created.
 *
 * @throws {SidecardError} `invalid_options` or `invalid_access_token`
 */
export function resolveClientOptions(options: ClientOptions) {
  const config = readOptions('createClient', options, CLIENT_KINDS)
  assertHeaders(config.headers)
  const { accessToken } = options
  if (typeof accessToken !== 'function') assertAccessToken(accessToken)
  const retry = config.retry === false ? { maxRetries: 0 } : config.retry
  const read = readOptions('createClient', retry, RETRY_KINDS, 'retry.')
  return { ...config, accessToken, retry: read }
}

/** Requires headers that the runtime accepts, whose own error would contain the value. */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    void new Headers(headers)
  } catch {
    throw invalidOption('createClient', 'headers', 'an object of valid header names and strings')
  }
}

/** Returns the token if it is valid in a header. The error does not repeat it. */
function assertAccessToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7E]+$/.test(token)) return token
  const isBearer = typeof token === 'string' && /^bearer\s/i.test(token)
  const hint = isBearer ? 'Pass the token without the word Bearer.' : 'Is the secret set?'
  throw invalidToken(` must be non-empty printable ASCII without whitespace. ${hint}`)
}

function invalidToken(problem: string): ClientError {
  return new ClientError('invalid_access_token', `createClient: accessToken${problem}`)
}

/**
 * Returns the token, or calls the function that returns it.
 *
 * @throws {ClientError} `invalid_access_token`
 */
export async function loadAccessToken(given: ClientOptions['accessToken']): Promise<string> {
  if (typeof given === 'string') return given
  // The original error is dropped, because its message may contain the token.
  const token = await Promise.resolve()
    .then(given)
    .catch(() => Promise.reject(invalidToken(': the token function threw.')))
  return assertAccessToken(token)
}
