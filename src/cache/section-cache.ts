import type { CacheScope, SectionCache, SectionCacheResult } from '../internal/cache-types.ts'
import { kind, readOptions, required, text } from '../internal/read-options.ts'
import { runWithin } from '../internal/user-code.ts'
import { serializeKeyParts } from './cache-key.ts'
import { isOwnJson } from './entry.ts'
import { createEntryCache, type Lookup } from './entry-cache.ts'
import { ENTRY_OPTIONS, type EntryOptions } from './entry-options.ts'
import type { FoundEntry } from './entry-store.ts'
import { isDesignedOutcome } from './failure-memory.ts'
import { waitFor } from './pending-calls.ts'

/** Options for `sectionCache()`. */
export interface SectionCacheOptions<Bindings> extends EntryOptions<Bindings> {
  /** The name of the cache in its keys. It must be unique in the process. */
  readonly name: string
}

/** How long to wait for fresh content before showing stale content. */
const REFRESH_WAIT_MS = 100

const names = new Set<unknown>()

/** Two caches with the same name would return each other's content for equal keys. */
const UNUSED_NAME = kind<string>(
  'a non-empty string that no other sectionCache() has: create each cache once, at module level',
  (value) => text.accepts(value) && !names.has(value),
)

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
    name: required(UNUSED_NAME),
    ...ENTRY_OPTIONS,
  })
  names.add(name)
  const { lookUp, expire } = createEntryCache<Content>(entryOptions)
  const partsOf = (ctx: CacheScope, key: readonly unknown[] | undefined) => {
    const parts = serializeKeyParts('section', key)
    return ['section', name, ctx.params['organization_id'] ?? '', parts]
  }

  return {
    name,
    expire: (ctx, key) => expire(ctx, partsOf(ctx, key)),
    async fetch({ ctx, key, timeoutMs = ctx.app.timeoutMs, load: loadContent, encode }) {
      let hasStarted = false
      const load = async (): Promise<Content> => {
        hasStarted = true
        // The signal only aborts at the timeout, because several callers may wait for the result.
        const json = await runWithin(timeoutMs, loadContent, encode)
        return { json, loadedAtMs: Date.now() }
      }
      const lookup = await lookUp({
        ctx,
        timeoutMs,
        createKey: () => partsOf(ctx, key),
        subject: () => partsOf(ctx, key),
        isValid: ({ json }) => isOwnJson(json, encode, ctx.app),
        load,
        toEntry: ({ json, loadedAtMs }) => ({ storedAtMs: loadedAtMs, json, details: {} }),
      })
      if (lookup.found !== undefined) {
        return serveFound(lookup.found, lookup, timeoutMs, hasStarted ? ctx : undefined)
      }
      const content: Content = await runWithin(timeoutMs, () => lookup.loading ?? load())
      return { status: 'miss', ...content }
    },
  }
}

type Content = Pick<SectionCacheResult, 'json' | 'loadedAtMs'>

/**
 * Serves cached content, unless a refresh succeeds quickly.
 *
 * @param starter the request that started the refresh, if it is this one
 */
async function serveFound(
  { json, storedAtMs, isFresh }: FoundEntry,
  { loading, previousError }: Lookup<Content>,
  timeoutMs: number,
  starter: CacheScope | undefined,
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
      // If the customer is no longer found, stale content would be wrong.
      if (isDesignedOutcome(error)) throw error
      // `throw undefined` is also a failure.
      return { ...stale, error: error ?? new Error('The section failed without an error.') }
    }
    if (starter !== undefined) {
      loading.catch((error: unknown) => starter.warnOfCache('refresh_failed', error))
    }
  }
  return previousError === undefined ? stale : { ...stale, error: previousError }
}
