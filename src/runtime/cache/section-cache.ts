import type { CacheScope, SectionCache, SectionCacheResult } from '../internal/cache-types.ts'
import { readOptions, required, text } from '../internal/read-options.ts'
import { runWithin } from '../internal/user-code.ts'
import { isAbsentPart, serializeKeyParts } from './cache-key.ts'
import { claimName } from './cache-names.ts'
import { isOwnJson } from './entry.ts'
import { createEntryCache, type Lookup, readKey } from './entry-cache.ts'
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
  // Two caches with one name would return each other's content for equal keys.
  const assertOwnName = claimName(name)
  const { lookUp, invalidate, findSubject } = createEntryCache<LoadedContent>(entryOptions)
  const partsOf = (ctx: CacheScope, key: readonly unknown[] | undefined) => {
    const parts = serializeKeyParts('section', key)
    if (typeof parts !== 'string') return parts
    const { organization_id = '' } = ctx.params
    if (isAbsentPart(organization_id)) return { absent: 'organization_id' }
    return ['section', name, organization_id, parts]
  }

  return {
    name,
    async expire(ctx, key) {
      const parts = readKey({ ctx, createKey: () => partsOf(ctx, key), about: { cache: name } })
      if (parts !== undefined) await invalidate(ctx, await findSubject(ctx, parts))
    },
    async fetch({ ctx, title, key, timeoutMs = ctx.app.timeoutMs, load: loadContent, encode }) {
      assertOwnName(ctx)
      let hasStarted = false
      const load = async (): Promise<LoadedContent> => {
        hasStarted = true
        const loadedAtMs = Date.now()
        // The signal only aborts at the timeout, because several callers may wait for the result.
        return { json: await runWithin(timeoutMs, loadContent, encode), loadedAtMs }
      }
      const lookup = await lookUp({
        ctx,
        timeoutMs,
        createKey: () => partsOf(ctx, key),
        about: { section: title },
        isValid: ({ json }) => isOwnJson(json, encode, ctx.app),
        load,
        toContent: ({ json }) => ({ json, details: {} }),
      })
      if (lookup.found !== undefined) {
        return serveFound(lookup.found, lookup, timeoutMs, hasStarted ? ctx : undefined)
      }
      const content: LoadedContent = await runWithin(timeoutMs, () => lookup.loading ?? load())
      return { status: 'miss', ...content }
    },
  }
}

type LoadedContent = Pick<SectionCacheResult, 'json' | 'loadedAtMs'>

/**
 * Serves cached content, unless a refresh succeeds quickly.
 *
 * @param starter this request, if it started the refresh
 */
async function serveFound(
  { json, startedAtMs, isFresh }: FoundEntry,
  { loading, previousError }: Lookup<LoadedContent>,
  timeoutMs: number,
  starter: CacheScope | undefined,
): Promise<SectionCacheResult> {
  const content = { json, loadedAtMs: startedAtMs }
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
      loading.catch((error: unknown) => starter.warnOfCache('refresh_failed', error))
    }
  }
  return previousError === undefined ? stale : { ...stale, error: previousError }
}
