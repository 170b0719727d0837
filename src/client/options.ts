import { describeUnknownName } from '../internal/unknown-name.ts'
import type { Logger } from '../internal/logger.ts'
import { assertAccessToken } from './access-token.ts'
import { parseBaseUrl } from './base-url.ts'
import { type Clock, systemClock } from './clock.ts'
import { ClientError } from './errors.ts'
import type { ResolvedRetry, RetryOptions } from './retry.ts'

/** A `fetch` function, such as the runtime's or an emulator's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, including the wait between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of one attempt including its body, in milliseconds: 1 to 2,147,483,647. */
  readonly timeoutMs?: number | undefined
  /** Sent in addition to the client's own headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
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
  /** @default globalThis.fetch */
  readonly fetch?: Fetch | undefined
  /** @default the clock of the runtime */
  readonly clock?: Clock | undefined
  /** Returns a number from 0 to below 1, for the jitter of the back-off. @default Math.random */
  readonly random?: (() => number) | undefined
}

/** The options with defaults applied. */
export interface ClientConfig {
  readonly baseUrl: string
  readonly accessToken: ClientOptions['accessToken']
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly retry: ResolvedRetry
  readonly maxPages: number
  readonly createTask: 'query' | 'json'
  readonly logger: Logger | undefined
  readonly fetch: Fetch
  readonly clock: Clock
  readonly random: () => number
}

/** The maximum delay of timers: 2^31 - 1 milliseconds. */
const MAX_DELAY_MS = 2_147_483_647
const MAX_RETRIES = 20

const OPTION_NAMES = [
  'baseUrl',
  'accessToken',
  'timeoutMs',
  'signal',
  'headers',
  'retry',
  'maxPages',
  'createTask',
  'logger',
  'fetch',
  'clock',
  'random',
] as const satisfies ReadonlyArray<keyof ClientOptions>

/**
 * Validates options once, when the client is created.
 *
 * @throws {ClientError} `invalid_options` or `invalid_access_token`
 */
export function resolveClientOptions(options: ClientOptions): ClientConfig {
  if (!isRecord(options)) throw invalidOptions('pass an object with baseUrl and accessToken')
  assertKnownNames('createClient', options, OPTION_NAMES)
  const { accessToken, fetch, signal, logger, timeoutMs = 10_000, maxPages = 1_000 } = options
  const { createTask = 'query', clock = systemClock, random = Math.random } = options
  const baseUrl = parseBaseUrl(options.baseUrl)
  if (typeof accessToken !== 'function') assertAccessToken(accessToken)
  assertTimeout('createClient', timeoutMs)
  assertSignal('createClient', signal)
  assertHeaders('createClient', options.headers)
  assertOption(Number.isSafeInteger(maxPages) && maxPages > 0, 'maxPages', 'a positive integer')
  assertOption(createTask === 'query' || createTask === 'json', 'createTask', "'query' or 'json'")
  assertOption(logger === undefined || isRecord(logger), 'logger', 'an object such as console')
  assertOption(fetch === undefined || typeof fetch === 'function', 'fetch', 'a function')
  assertOption(typeof random === 'function', 'random', 'a function')
  const isClock = typeof clock?.now === 'function' && typeof clock.sleep === 'function'
  assertOption(isClock, 'clock', 'an object with now() and sleep()')
  return {
    baseUrl,
    accessToken,
    signal,
    timeoutMs,
    headers: options.headers ?? {},
    retry: resolveRetry(options.retry),
    maxPages,
    createTask,
    logger,
    // It is called as a plain function, because a method call is an "Illegal invocation" on
    // Workers.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock,
    random,
  }
}

const CALL_OPTION_NAMES = ['signal', 'timeoutMs', 'headers'] as const

/**
 * Validates the options of a single call.
 *
 * @param caller the call, for messages
 * @param moreNames options that only this call has
 * @throws {ClientError} `invalid_options`
 */
export function resolveCallOptions(
  caller: string,
  options: CallOptions,
  moreNames: readonly string[] = [],
): CallOptions {
  if (!isRecord(options)) throw invalidOptions('the options must be an object', caller)
  assertKnownNames(caller, options, [...moreNames, ...CALL_OPTION_NAMES])
  const { signal, timeoutMs, headers } = options
  if (timeoutMs !== undefined) assertTimeout(caller, timeoutMs)
  assertSignal(caller, signal)
  assertHeaders(caller, headers)
  return { signal, timeoutMs, headers }
}

const RETRY_NAMES = ['maxRetries', 'baseDelayMs', 'maxDelayMs'] as const

function resolveRetry(retry: ClientOptions['retry'] = {}): ResolvedRetry {
  assertOption(retry === false || isRecord(retry), 'retry', 'an object or false')
  if (retry !== false) assertKnownNames('createClient', retry, RETRY_NAMES, 'retry.')
  const {
    maxRetries = 2,
    baseDelayMs = 500,
    maxDelayMs = 8_000,
  } = retry === false ? { maxRetries: 0 } : retry
  const isCount = Number.isSafeInteger(maxRetries) && maxRetries >= 0 && maxRetries <= MAX_RETRIES
  assertOption(isCount, 'retry.maxRetries', `an integer from 0 to ${MAX_RETRIES}`)
  assertDelay(baseDelayMs, 'retry.baseDelayMs')
  assertDelay(maxDelayMs, 'retry.maxDelayMs')
  return { maxRetries, baseDelayMs, maxDelayMs }
}

function assertKnownNames(
  caller: string,
  options: object,
  names: readonly string[],
  prefix?: string,
): void {
  const problem = describeUnknownName('option', options, names, prefix)
  if (problem !== undefined) throw invalidOptions(problem, caller)
}

function assertTimeout(caller: string, timeoutMs: number): void {
  const isValid = typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= MAX_DELAY_MS
  assertOption(isValid, 'timeoutMs', `between 1 and ${MAX_DELAY_MS} ms`, caller)
}

function assertDelay(delayMs: unknown, option: string): void {
  const isValid = typeof delayMs === 'number' && delayMs >= 0 && delayMs <= MAX_DELAY_MS
  assertOption(isValid, option, `between 0 and ${MAX_DELAY_MS} ms`)
}

function assertSignal(caller: string, signal: AbortSignal | undefined): void {
  const isSignal =
    typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function'
  assertOption(signal === undefined || isSignal, 'signal', 'an AbortSignal', caller)
}

/** Validates headers. Errors do not contain their values. */
function assertHeaders(caller: string, headers: CallOptions['headers']): void {
  if (headers === undefined) return
  // The entries of a `Headers` object are not own properties, so they would be lost.
  const isPlain = isRecord(headers) && typeof (headers as { get?: unknown }).get !== 'function'
  assertOption(isPlain, 'headers', 'an object of strings', caller)
  for (const [name, value] of Object.entries(headers)) {
    assertOption(typeof value === 'string', 'headers', 'an object of strings', caller)
    try {
      new Headers().set(name, value)
    } catch {
      throw invalidOptions('headers: invalid header name or value', caller)
    }
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function assertOption(isValid: boolean, option: string, expected: string, caller?: string): void {
  if (!isValid) throw invalidOptions(`${option} must be ${expected}`, caller)
}

function invalidOptions(problem: string, caller = 'createClient'): ClientError {
  return new ClientError(
    'invalid_options',
    `${caller}: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`,
  )
}
