import type { Env } from 'hono'
import type { Child, FetchDataResult } from '../builders/children.ts'
import type { Auth } from './auth.ts'
import type { CacheOptions } from './cache/cache-options.ts'
import type { OpenCache } from './cache/store.ts'
import type { FetchDataContext } from './context.ts'
import { expectOption } from './expect-option.ts'
import { consoleLogger } from './logger.ts'
import type { Logger } from '../internal/logger.ts'
import { SidecardError } from '../errors.ts'
import { DEFAULT_URI_SCHEMES } from '../contract/uri.ts'
import { encodePayload } from '../contract/walk.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'

/** The sizes above which an answer is replaced by one that says so (A8). */
export interface Limits {
  /** Components, those in cards included. @default 1000 */
  readonly maxComponents?: number
  /** Bytes of the JSON. @default 262144 */
  readonly maxBodyBytes?: number
}

/**
 * The options of a sidebar app.
 *
 * @see docs/contract.md#requests
 */
export interface SidecardOptions<E extends Env = Env> {
  /** The title, and an icon where there is one, over everything that the app shows. */
  readonly header: { readonly title: string; readonly icon_url?: string | undefined }
  /** Who may read: `secretHeader()`, or `noAuth()` in so many words. */
  readonly auth: Auth<E>
  /** Finds what an agent sees beside an issue. */
  fetchData(ctx: FetchDataContext<E>): FetchDataResult | Promise<FetchDataResult>
  /** The form in which a handshake is answered. @default 'json' */
  readonly handshake?: 'json' | 'text'
  /** The deadline of `fetchData` with its sections, in milliseconds (A7). @default 5000 */
  readonly timeoutMs?: number
  /**
   * Hears of every fault, with the error as it was thrown: the place to report
   * it. Children that it returns at once are shown instead of the standard
   * card; a promise is left to itself, and what it throws is ignored.
   */
  onError?(error: unknown, ctx: FetchDataContext<E>): readonly Child[] | void | Promise<void>
  /**
   * Gets one line a request. Without it, faults and refusals go to the console
   * and the rest is not logged; `false` logs nothing.
   */
  readonly logger?: Logger | false
  /**
   * How a fault is answered (A5): `'payload'` with status 200 and a card that
   * says so, `'status'` with a problem document and status 500 or 504.
   * @default 'payload'
   */
  readonly errors?: 'payload' | 'status'
  readonly limits?: Limits
  /** Keeps answers for a while. Without it no answer is kept. @see docs/guides/caching.md */
  readonly cache?: CacheOptions<E> | undefined
  /** The schemes that links and icons may have (A9). @default ['http', 'https'] */
  readonly uriSchemes?: readonly string[]
}

/** Options with every default filled in. */
export interface ResolvedOptions<E extends Env> {
  /** The JSON of an answer up to its first component: the header as it was checked at start. */
  readonly head: string
  readonly auth: Auth<E>
  readonly fetchData: SidecardOptions<E>['fetchData']
  readonly onError: SidecardOptions<E>['onError']
  readonly handshake: 'json' | 'text'
  readonly timeoutMs: number
  readonly logger: Logger
  /** False where only what needs attention is logged. */
  readonly logsEveryRequest: boolean
  readonly errors: 'payload' | 'status'
  readonly maxComponents: number
  readonly maxBodyBytes: number
  readonly uriSchemes: readonly string[]
  readonly cache: OpenCache<E> | undefined
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Timers of every runtime hold 31 bits. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Checks options once, when the app is made, so that a mistake in them shows
 * at start and not beside an issue.
 *
 * @throws {SidecardError} `invalid_options` with the option's name and what it should be
 */
export function resolveOptions<E extends Env>(options: SidecardOptions<E>): ResolvedOptions<E> {
  const { auth, logger, limits = {} } = options
  const { handshake = 'json', errors = 'payload', timeoutMs = 5_000 } = options
  const uriSchemes =
    options.uriSchemes?.map((scheme) => scheme.toLowerCase()) ?? DEFAULT_URI_SCHEMES
  const { maxComponents = 1_000, maxBodyBytes = 256 * 1024 } = limits
  expectOption(typeof auth?.authenticate === 'function', 'auth', 'secretHeader(…) or noAuth()')
  expectOption(typeof options.fetchData === 'function', 'fetchData', 'a function')
  expectOption(
    options.onError === undefined || typeof options.onError === 'function',
    'onError',
    'a function',
  )
  expectOption(handshake === 'json' || handshake === 'text', 'handshake', "'json' or 'text'")
  expectOption(errors === 'payload' || errors === 'status', 'errors', "'payload' or 'status'")
  expectOption(
    isCount(timeoutMs) && timeoutMs <= MAX_TIMEOUT_MS,
    'timeoutMs',
    'a whole number above 0',
  )
  expectOption(isCount(maxComponents), 'limits.maxComponents', 'a whole number above 0')
  expectOption(isCount(maxBodyBytes), 'limits.maxBodyBytes', 'a whole number above 0')
  expectOption(
    options.cache === undefined || typeof options.cache.store?.open === 'function',
    'cache.store',
    'a store, such as memoryCache()',
  )
  const { header } = options
  expectOption(typeof header?.title === 'string' && header.title !== '', 'header.title', 'a text')
  const probe = encodePayload({ version: SCHEMA_VERSION, header, components: [] }, { uriSchemes })
  if (!probe.ok) {
    const [issue] = probe.issues
    throw new SidecardError('invalid_options', `sidecard: ${issue?.path}: ${issue?.message}`)
  }
  return {
    head: probe.json.slice(0, -2),
    auth,
    fetchData: (ctx) => options.fetchData(ctx),
    onError: options.onError && ((error, ctx) => options.onError?.(error, ctx)),
    handshake,
    timeoutMs,
    logger: logger === false ? SILENT : (logger ?? consoleLogger),
    logsEveryRequest: logger !== undefined,
    errors,
    maxComponents,
    maxBodyBytes,
    uriSchemes,
    cache: options.cache?.store.open(options.cache),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
