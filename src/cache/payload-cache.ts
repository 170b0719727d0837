import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../contract/parameters.ts'
import type { CachedPayload, PayloadCache, PayloadCacheRequest } from '../internal/cache-types.ts'
import { kind, readOptions } from '../internal/read-options.ts'
import { type CacheKeyPart, serializeKeyParts } from './cache-key.ts'
import type { Entry } from './entry.ts'
import { createEntryCache, GRACE_MS } from './entry-cache.ts'
import { ENTRY_OPTIONS, type EntryOptions } from './entry-options.ts'
import { waitFor } from './pending-calls.ts'

/** The part of the `fetchData` context that is passed to `key`. */
export interface PayloadKeyContext<Bindings = unknown> {
  readonly params: FetchDataParams
  readonly env: Bindings
  require(this: void, name: FetchDataParameter): string
}

/** Options for `payloadCache()`. */
export interface PayloadCacheOptions<Bindings, Ctx> extends EntryOptions<Bindings> {
  /**
   * Returns the values that `fetchData` depends on, instead of the seven IDs. If
   * it returns `undefined`, the payload is not cached.
   * @default all seven IDs
   */
  readonly key?: (ctx: Ctx) => readonly CacheKeyPart[] | undefined
}

/**
 * Creates a cache of complete payloads, for the option `cache` of `sidecard()`.
 *
 * A payload with a failure or a designed card is not cached.
 *
 * @throws {SidecardError} `invalid_options` if an option is unknown or invalid
 * @see docs/guides/caching.md
 * @example
 * cache: payloadCache({ store: memoryStore(), ttlSeconds: 60, staleSeconds: 600 })
 */
export function payloadCache<
  Bindings,
  Ctx extends PayloadKeyContext<Bindings> = PayloadKeyContext<Bindings>,
>(options: PayloadCacheOptions<Bindings, Ctx>): PayloadCache<Ctx & PayloadKeyContext<Bindings>> {
  const { key, ...entryOptions } = readOptions('payloadCache', options, {
    ...ENTRY_OPTIONS,
    key: kind('a function that returns an array', (value) => typeof value === 'function'),
  })
  const lookUp = createEntryCache<Loaded>(entryOptions)

  return {
    async fetch<Result>(request: PayloadCacheRequest<Ctx & PayloadKeyContext<Bindings>, Result>) {
      const { scope, ctx, timeoutMs } = request
      const { found, loading } = await lookUp({
        scope,
        timeoutMs,
        createKey() {
          // Keys are nested by kind: a custom key with seven parts never equals the default key.
          if (key === undefined) return ['payload', 'ids', ...scope.ids]
          const parts = key(ctx)
          if (parts === undefined) return undefined
          return ['payload', 'key', serializeKeyParts('payloadCache', parts)]
        },
        isValid: ({ json, details }) => isPayload(details) && request.isValid(json),
        load: (reason) => request.load(reason),
        toEntry,
      })
      if (found !== undefined) {
        const details = found.details as unknown as Omit<CachedPayload, 'json'>
        const entry = { ...details, json: found.json }
        return { status: found.isFresh ? 'hit' : 'stale', entry }
      }
      const maxMs = timeoutMs + entryOptions.storeTimeoutMs + GRACE_MS
      const loaded = (loading && (await waitFor(loading, maxMs))) ?? (await request.load('miss'))
      return { status: 'miss', result: loaded.result as Result }
    },
  }
}

interface Loaded {
  readonly result: unknown
  readonly entry?: CachedPayload
}

function toEntry({ entry }: Loaded): Entry | undefined {
  if (entry === undefined) return undefined
  const { json, ...details } = entry
  return { storedAtMs: Date.now(), json, details }
}

/** The names in `via` and `unmatched`: the keys of the lookups of `identify()`. */
const LOOKUPS: readonly unknown[] = [...FETCH_DATA_PARAMETERS, 'email_domain']

/** These values reach the log and the audit record, so that a tampered entry must not add others. */
function isPayload(details: Entry['details']): boolean {
  const { componentCount, via, unmatched = [], sections, ...others } = details
  return (
    Number.isSafeInteger(componentCount) &&
    (componentCount as number) >= 0 &&
    isListOf(sections, (title) => typeof title === 'string') &&
    (via === undefined || LOOKUPS.includes(via)) &&
    isListOf(unmatched, (name) => LOOKUPS.includes(name)) &&
    new Set(unmatched).size === unmatched.length &&
    Object.keys(others).length === 0
  )
}

function isListOf(value: unknown, test: (item: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(test)
}
