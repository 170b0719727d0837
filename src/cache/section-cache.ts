import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import { SidecardError } from '../internal/errors.ts'
import { quote } from '../internal/escape-for-display.ts'
import type {
  SectionCache,
  SectionCacheRequest,
  SectionCacheResult,
} from '../internal/cache-types.ts'
import { assertOption, assertOptions, resolveLifetimes } from './assert-option.ts'
import { serializeKeyParts } from './cache-key.ts'
import type { Entry } from './entry.ts'
import { EntryCache, type FoundEntry, type Lookup } from './entry-cache.ts'
import { warn } from './store-access.ts'
import type { StoreAdapterSource } from './store-adapter.ts'
import { TIMED_OUT, withTimeout } from './with-timeout.ts'

/** Options for `sectionCache()`. */
export interface SectionCacheOptions<Bindings> {
  /** The name of the cache in its keys. It must be unique in the process. */
  readonly name: string
  /** The store for content. A function of the bindings is called once per environment. */
  readonly store: StoreAdapterSource<Bindings>
  /** How long cached content is fresh, in seconds. */
  readonly ttlSeconds: number
  /**
   * How long after that content is shown while it is refreshed, or because a refresh failed, in
   * seconds.
   * @default 0
   */
  readonly staleSeconds?: number
  /**
   * How long to wait for the store before loading the section, in milliseconds, at most 60,000.
   * @default 500
   */
  readonly storeTimeoutMs?: number
}

/** How long to wait for fresh content before showing stale content. */
const REFRESH_WAIT_MS = 100

const ORGANIZATION = FETCH_DATA_PARAMETERS.indexOf('organization_id')

const names = new Set<string>()

/**
 * Creates a cache for the content of sections, at module level.
 *
 * After a failed or timed-out load, the section shows the last successfully
 * loaded content.
 *
 * @throws {SidecardError} `invalid_options` if an option is unknown or invalid, or the name is taken
 * @see docs/guides/caching.md#sections
 * @example
 * const errorsCache = sectionCache({
 *   name: 'errors', store: memoryStore(), ttlSeconds: 60, staleSeconds: 3600,
 * })
 * section('Recent errors', loadErrors, { cache: errorsCache, key: [account.id] })
 */
export function sectionCache<Bindings>(options: SectionCacheOptions<Bindings>): SectionCache {
  const known = ['name', 'store', 'ttlSeconds', 'staleSeconds', 'storeTimeoutMs']
  assertOptions('sectionCache', options, known)
  const { name, store } = options
  const lifetimes = resolveLifetimes('sectionCache', options)
  claimName(name)
  const entries = new EntryCache<Content>(store, lifetimes)

  return {
    name,
    async fetch(request) {
      const { scope, timeoutMs } = request
      const loader = {
        scope,
        isValid: ({ json }: Entry) => request.isValid(json),
        timeoutMs,
        load: () => loadContent(request),
        toEntry,
      }
      const parts = resolveKeyParts(name, request)
      const lookup = parts && (await entries.lookUp(parts, loader))
      if (lookup?.found !== undefined) return serveFound(lookup, lookup.found, request)
      const content = await withTimeout(lookup?.loading ?? loader.load(), timeoutMs)
      if (content === TIMED_OUT) throw timeoutError(timeoutMs)
      return { status: 'miss', ...content }
    },
  }
}

type Content = Pick<SectionCacheResult, 'json' | 'loadedAtMs'>

/**
 * Calls `load()`. Its signal only aborts at the timeout, because several callers
 * may wait for the result.
 */
async function loadContent(request: SectionCacheRequest): Promise<Content> {
  const { timeoutMs } = request
  const controller = new AbortController()
  const loading = (async () => request.load(controller.signal))()
  const json = await withTimeout(loading, timeoutMs)
  if (json !== TIMED_OUT) return { json, loadedAtMs: Date.now() }
  const error = timeoutError(timeoutMs)
  controller.abort(error)
  throw error
}

/** Serves cached content, unless a refresh succeeds quickly. */
async function serveFound(
  { loading, hasStarted, previousError }: Lookup<Content>,
  found: FoundEntry,
  { scope, timeoutMs }: SectionCacheRequest,
): Promise<SectionCacheResult> {
  const content = { json: found.json, loadedAtMs: found.storedAtMs }
  if (loading === undefined) return { status: 'hit', ...content }
  const stale = { status: 'stale', ...content } as const
  try {
    const fresh = await withTimeout(loading, Math.min(timeoutMs, REFRESH_WAIT_MS))
    if (fresh !== TIMED_OUT) return { status: 'miss', ...fresh }
  } catch (error) {
    return { ...stale, error: presentError(error) }
  }
  if (hasStarted) loading.catch((error: unknown) => warn(scope, 'refresh_failed', error))
  if (timeoutMs <= REFRESH_WAIT_MS) return { ...stale, error: timeoutError(timeoutMs) }
  return previousError === undefined ? stale : { ...stale, error: previousError }
}

/** `throw undefined` is also a failure. */
function presentError(error: unknown): unknown {
  return error ?? new Error('The section failed without an error.')
}

function timeoutError(timeoutMs: number): DOMException {
  return new DOMException(`The section did not load within ${timeoutMs} ms.`, 'TimeoutError')
}

function resolveKeyParts(
  name: string,
  { scope, key }: SectionCacheRequest,
): readonly string[] | undefined {
  try {
    return ['section', scope.url, name, scope.ids[ORGANIZATION] ?? '', serializeKeyParts(key)]
  } catch (error) {
    warn(scope, 'invalid_cache_key', error)
    return undefined
  }
}

function toEntry({ json, loadedAtMs }: Content): Entry {
  return { storedAtMs: loadedAtMs, json, details: {} }
}

/** Two caches with the same name would return each other's content for equal keys. */
function claimName(name: unknown): asserts name is string {
  assertOption(
    typeof name === 'string' && name.trim() !== '',
    'sectionCache',
    'name',
    'a non-empty string',
  )
  if (names.has(name)) {
    throw new SidecardError(
      'invalid_options',
      `sectionCache: the name ${quote(name)} is already used. Choose another one, and create each cache once, at module level.`,
    )
  }
  names.add(name)
}
