import type { Logger } from '../internal/logger.ts'
import { readBaseUrl } from './base-url.ts'
import { type Clock, systemClock } from './clock.ts'
import { ClientError } from './errors.ts'
import type { RetryOptions } from './retry.ts'

/** A `fetch`: the runtime's, or an emulator's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** What a single call may override. */
export interface CallOptions {
  /** Gives the call up when it aborts, also between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** For one attempt, its body included, in milliseconds. */
  readonly timeoutMs?: number
  /** Sent beside the client's own headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** How a client reaches the API. */
export interface ClientOptions extends CallOptions {
  /** Where the API is: `https`, or `http` to this machine. It may have a path. */
  readonly baseUrl: string | URL
  /** The bearer token, or a function that is asked for one before each attempt. */
  readonly accessToken: string | (() => string | Promise<string>)
  /** @default 10000 */
  readonly timeoutMs?: number
  /** How calls are tried again; `false` never does. */
  readonly retry?: RetryOptions | false
  /** The most pages that a list is followed for. @default 1000 */
  readonly maxPages?: number
  /**
   * How `tasks.create` sends its fields: as query parameters, which is what the
   * contract shows, or as a JSON body.
   * @default 'query'
   */
  readonly createTask?: 'query' | 'json'
  /** Gets a line for each attempt (`debug`) and for what needs attention (`warn`), without values. */
  readonly logger?: Logger
  /** @default globalThis.fetch */
  readonly fetch?: Fetch
  /** @default the clock of the runtime */
  readonly clock?: Clock
  /** A number from 0 up to 1, for the jitter of the back-off. @default Math.random */
  readonly random?: () => number
}

/** Options with every default filled in. */
export interface ClientConfig {
  readonly baseUrl: string
  readonly accessToken: ClientOptions['accessToken']
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly retry: Required<RetryOptions>
  readonly maxPages: number
  readonly createTask: 'query' | 'json'
  readonly logger: Logger | undefined
  readonly fetch: Fetch
  readonly clock: Clock
  readonly random: () => number
}

/** Checks options once, when the client is made. @throws {ClientError} `invalid_options` */
export function resolveClientOptions(options: ClientOptions): ClientConfig {
  const { accessToken, fetch, timeoutMs = 10_000, maxPages = 1_000, createTask = 'query' } = options
  const retry = options.retry === false ? { maxRetries: 0 } : (options.retry ?? {})
  const { maxRetries = 2, baseDelayMs = 500, maxDelayMs = 8_000 } = retry
  expect(
    typeof accessToken === 'string' || typeof accessToken === 'function',
    'accessToken',
    'a string or a function',
  )
  checkTimeout(timeoutMs)
  expect(Number.isSafeInteger(maxPages) && maxPages > 0, 'maxPages', 'a whole number above 0')
  expect(
    Number.isSafeInteger(maxRetries) && maxRetries >= 0,
    'retry.maxRetries',
    'a whole number from 0',
  )
  expect(baseDelayMs >= 0 && maxDelayMs >= 0, 'retry', 'delays of 0 ms or more')
  expect(createTask === 'query' || createTask === 'json', 'createTask', "'query' or 'json'")
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    accessToken,
    signal: options.signal,
    timeoutMs,
    headers: options.headers ?? {},
    retry: { maxRetries, baseDelayMs, maxDelayMs },
    maxPages,
    createTask,
    logger: options.logger,
    // Called as a plain function: as a method it is an "Illegal invocation" on Workers.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  }
}

/** @throws {ClientError} `invalid_options` */
export function checkTimeout(timeoutMs: number): void {
  const holds = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31
  expect(holds, 'timeoutMs', 'milliseconds, from 1 to 2147483647')
}

function expect(holds: boolean, option: string, wanted: string): void {
  if (!holds) throw new ClientError('invalid_options', `createClient: ${option} must be ${wanted}.`)
}
