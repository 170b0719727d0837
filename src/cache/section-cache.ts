import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import { SidecardError } from '../internal/errors.ts'
import { quote } from '../internal/escape-for-display.ts'
import type {
  SectionCache,
  SectionCacheRequest,
  SectionCacheResult,
} from '../internal/cache-types.ts'
import { readOptions, required, text } from '../internal/read-options.ts'
import { consumeRejections, runWithin } from '../internal/user-code.ts'
import { serializeKeyParts } from './cache-key.ts'
import type { Entry } from './entry.ts'
import { EntryCache, type Lookup } from './entry-cache.ts'
import { ENTRY_OPTIONS, type EntryOptions } from './entry-options.ts'
import { type FoundEntry, warn } from './entry-store.ts'
import { waitFor } from './pending-calls.ts'

/** Options for `sectionCache()`. */
export interface SectionCacheOptions<Bindings> extends EntryOptions<Bindings> {
  /** The name of the cache in its keys. It must be unique in the process. */
  readonly name: string
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
  const { name, ...entryOptions } = readOptions('sectionCache', options, {
    name: required(text),
    ...ENTRY_OPTIONS,
  })
  claimName(name)
  const entries = new EntryCache<Content>(entryOptions)

  return {
    name,
    async fetch(request) {
      const { scope, timeoutMs } = request
      let hasStarted = false
      const load = () => {
        hasStarted = true
        return loadContent(request)
      }
      const parts = resolveKeyParts(name, request)
      const lookup =
        parts === undefined
          ? {}
          : await entries.lookUp(parts, {
              scope,
              timeoutMs,
              isValid: ({ json }) => request.isValid(json),
              load,
              toEntry,
            })
      const { found, loading } = lookup
      if (found !== undefined) return serveFound(found, lookup, hasStarted, request)
      return { status: 'miss', ...(await runWithin(timeoutMs, () => loading ?? load())) }
    },
  }
}

type Content = Pick<SectionCacheResult, 'json' | 'loadedAtMs'>

/**
 * Calls `load()`. Its signal only aborts at the timeout, because several callers
 * may wait for the result.
 */
async function loadContent(request: SectionCacheRequest): Promise<Content> {
  const json = await runWithin(request.timeoutMs, (signal) => request.load(signal))
  return { json, loadedAtMs: Date.now() }
}

/** Serves cached content, unless a refresh succeeds quickly. */
async function serveFound(
  { json, storedAtMs, isFresh }: FoundEntry,
  { loading, previousError }: Lookup<Content>,
  hasStarted: boolean,
  { scope, timeoutMs }: SectionCacheRequest,
): Promise<SectionCacheResult> {
  const content = { json, loadedAtMs: storedAtMs }
  if (isFresh) return { status: 'hit', ...content }
  const stale = { status: 'stale', ...content } as const
  if (loading !== undefined) {
    try {
      const fresh =
        timeoutMs <= REFRESH_WAIT_MS
          ? await runWithin(timeoutMs, () => loading)
          : await waitFor(loading, REFRESH_WAIT_MS)
      if (fresh !== undefined) return { status: 'miss', ...fresh }
    } catch (error) {
      // `throw undefined` is also a failure.
      return { ...stale, error: error ?? new Error('The section failed without an error.') }
    }
    if (hasStarted) loading.catch((error: unknown) => warn(scope, 'refresh_failed', error))
  }
  return previousError === undefined ? stale : { ...stale, error: previousError }
}

function resolveKeyParts(
  name: string,
  { scope, key }: SectionCacheRequest,
): readonly string[] | undefined {
  const organization = scope.ids[ORGANIZATION] ?? ''
  try {
    return ['section', scope.app, scope.url, name, organization, serializeKeyParts('section', key)]
  } catch (error) {
    consumeRejections(error)
    warn(scope, 'invalid_cache_key', error)
    return undefined
  }
}

function toEntry({ json, loadedAtMs }: Content): Entry {
  return { storedAtMs: loadedAtMs, json, details: {} }
}

/** Two caches with the same name would return each other's content for equal keys. */
function claimName(name: string): void {
  if (names.has(name)) {
    throw new SidecardError(
      'invalid_options',
      `sectionCache: the name ${quote(name)} is already used. Choose another one, and create each cache once, at module level.`,
    )
  }
  names.add(name)
}
