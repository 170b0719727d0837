import type {
  CacheScope,
  SectionCache,
  SectionCacheResult,
  SectionPlace,
} from '../internal/cache-types.ts'
import { recordUse, registerCache } from '../internal/known-caches.ts'
import { readOptions, required, text } from '../internal/read-options.ts'
import { consumeRejections, runWithin } from '../internal/user-code.ts'
import { serializeKey } from './cache-key.ts'
import { claimName } from './cache-names.ts'
import { createEntryCache, type LoadedContent, type Lookup } from './entry-cache.ts'
import { ENTRY_OPTIONS, type EntryOptions } from './entry-options.ts'
import type { FoundEntry } from './entry-store.ts'
import { isDesignedOutcome } from './failure-memory.ts'
import { waitFor } from './pending-calls.ts'

/** Options of `sectionCache()`. */
export interface SectionCacheOptions<Bindings> extends EntryOptions<Bindings> {
  /** The name of the cache in its keys, unique among the caches of the app. */
  readonly name: string
}

/** How long to wait for fresh content before showing stale content. */
const REFRESH_WAIT_MS = 100

/**
 * Creates a cache for the content of sections, at module level. A module that is
 * evaluated again replaces its cache, with one warning.
 *
 * After a failed or timed-out load, the section shows the last successfully
 * loaded content.
 *
 * @throws {SidecardError} `invalid_options` if an option is unknown or invalid
 * @see docs/guides/caching.md
 * @example
 * const errorsCache = sectionCache({
 *   name: 'errors', store: memoryStore(), ttlSeconds: 60, staleSeconds: 3600,
 * })
 * section('Recent errors', loadErrors, { cache: errorsCache })
 */
export function sectionCache<Bindings>(options: SectionCacheOptions<Bindings>): SectionCache {
  const { name, ...entryOptions } = readOptions('sectionCache', options, {
    name: required(text),
    ...ENTRY_OPTIONS,
  })
  // Two caches with one name would return each other's content for equal keys.
  const assertOwnName = claimName(name)
  const { lookUp, invalidate, findSubject } = createEntryCache(entryOptions)
  const cache: SectionCache = {
    name,
    invalidate,
    async locate(ctx, place) {
      const key = readKey(ctx, name, place)
      return key === undefined ? undefined : findSubject(ctx, key)
    },
    async fetch({ ctx, place, timeoutMs = ctx.app.timeoutMs, load: loadContent, encode }) {
      assertOwnName(ctx)
      recordUse(ctx.app, cache)
      let hasStarted = false
      const load = async (): Promise<LoadedContent> => {
        hasStarted = true
        const loadedAtMs = Date.now()
        // The signal only aborts at the timeout, because several callers may wait for the result.
        return { ...(await runWithin(timeoutMs, loadContent, encode)), loadedAtMs }
      }
      const key = readKey(ctx, name, place)
      if (key === undefined) return { status: 'miss', ...(await load()) }
      const lookup = await lookUp({ ctx, key, timeoutMs, encode, load })
      const { subject, expiresAtMs, found, loading } = lookup
      ctx.shown.push({ cache: name, title: place.title, subject, expiresAtMs })
      if (found !== undefined) {
        return serveFound(found, lookup, timeoutMs, hasStarted ? ctx : undefined)
      }
      const content: LoadedContent = await runWithin(timeoutMs, () => loading ?? load())
      return { status: 'miss', ...content }
    },
  }
  registerCache(cache)
  return cache
}

/** Returns the key of a section; if it has none, `undefined`, with a warning. */
function readKey(ctx: CacheScope, cache: string, place: SectionPlace): string | undefined {
  const about = { section: place.title }
  try {
    const key = serializeKey(ctx, cache, place)
    if (typeof key === 'string') return key
    if (key === undefined) ctx.warnOfCache('missing_key', undefined, about)
    else ctx.warnOfCache('absent_key_part', undefined, { ...about, part: key.absent })
  } catch (error) {
    consumeRejections(error)
    ctx.warnOfCache('invalid_cache_key', error, about)
  }
  return undefined
}

/**
 * Serves cached content, unless a refresh succeeds quickly.
 *
 * @param starter this request, if it started the refresh
 */
async function serveFound(
  { json, componentCount, startedAtMs, isFresh }: FoundEntry,
  { loading, previousError }: Lookup,
  timeoutMs: number,
  starter: CacheScope | undefined,
): Promise<SectionCacheResult> {
  const content = { json, componentCount, loadedAtMs: startedAtMs }
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
      // If the customer is no longer found, stale content would be wrong.
      if (isDesignedOutcome(error)) throw error
      // `throw undefined` is a failure as well.
      return { ...stale, error: error ?? new Error('The section failed without an error.') }
    }
    if (starter !== undefined) {
      // A customer who is no longer found is not a failure.
      loading.catch((error: unknown) => {
        if (!isDesignedOutcome(error)) starter.warnOfCache('refresh_failed', error)
      })
    }
  }
  return previousError === undefined ? stale : { ...stale, error: previousError }
}
