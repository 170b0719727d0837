import type { FetchDataParameter, FetchDataParams } from '../contract/parameters.ts'
import type { CachedPayload, PayloadCache, PayloadCacheRequest } from '../internal/cache-types.ts'
import { assertOption, assertOptions, resolveLifetimes } from './assert-option.ts'
import { type CacheKeyPart, serializeKeyParts } from './cache-key.ts'
import type { Entry } from './entry.ts'
import { EntryCache, GRACE_MS } from './entry-cache.ts'
import { warn } from './store-access.ts'
import type { StoreAdapterSource } from './store-adapter.ts'
import { TIMED_OUT, withTimeout } from './with-timeout.ts'

/** The part of the `fetchData` context that is passed to `key`. */
export interface PayloadKeyContext<Bindings = unknown> {
  readonly params: FetchDataParams
  readonly env: Bindings
  require(this: void, name: FetchDataParameter): string
}

/** Options for `payloadCache()`. */
export interface PayloadCacheOptions<Bindings, Ctx> {
  /** The store for payloads. A function of the bindings is called once per environment. */
  readonly store: StoreAdapterSource<Bindings>
  /** How long a cached payload is fresh, in seconds. */
  readonly ttlSeconds: number
  /**
   * How long after that a payload is served stale while it is refreshed, in seconds.
   * @default 0
   */
  readonly staleSeconds?: number
  /**
   * Returns the values that `fetchData` depends on, instead of the seven IDs. If
   * it returns `undefined`, the payload is not cached.
   * @default all seven IDs
   */
  readonly key?: (ctx: Ctx) => readonly CacheKeyPart[] | undefined
  /**
   * How long to wait for the store before calling `fetchData`, in milliseconds, at most 60,000.
   * @default 500
   */
  readonly storeTimeoutMs?: number
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
  const known = ['store', 'ttlSeconds', 'staleSeconds', 'key', 'storeTimeoutMs']
  assertOptions('payloadCache', options, known)
  const lifetimes = resolveLifetimes('payloadCache', options)
  const { store, key } = options
  assertOption(
    key === undefined || typeof key === 'function',
    'payloadCache',
    'key',
    'a function that returns an array',
  )
  const entries = new EntryCache<Loaded>(store, lifetimes)

  return {
    async fetch<Result>(request: PayloadCacheRequest<Ctx & PayloadKeyContext<Bindings>, Result>) {
      const { scope, timeoutMs } = request
      const loader = {
        scope,
        timeoutMs,
        isValid: ({ json, details }: Entry) => hasPayloadDetails(details) && request.isValid(json),
        load: (reason: 'miss' | 'refresh') => request.load(reason),
        toEntry,
      }
      const parts = resolveKeyParts(request, key)
      const lookup = parts && (await entries.lookUp(parts, loader))
      if (lookup?.found !== undefined) {
        return {
          status: lookup.found.isFresh ? 'hit' : 'stale',
          entry: toPayload(lookup.found),
        }
      }
      const maxMs = timeoutMs + lifetimes.storeTimeoutMs + GRACE_MS
      const loaded = lookup?.loading && (await withTimeout(lookup.loading, maxMs))
      const isUnusable = loaded === undefined || loaded === TIMED_OUT
      const { result } = isUnusable ? await request.load('miss') : loaded
      return { status: 'miss', result: result as Result }
    },
  }
}

interface Loaded {
  readonly result: unknown
  readonly entry?: CachedPayload
}

/** Keys are nested by kind, so that a custom key with seven parts never equals the default key. */
function resolveKeyParts<Ctx>(
  { scope, ctx }: PayloadCacheRequest<Ctx, unknown>,
  key: ((ctx: Ctx) => unknown) | undefined,
): readonly string[] | undefined {
  if (key === undefined) return ['payload', scope.url, 'ids', ...scope.ids]
  try {
    const parts = key(ctx)
    return parts === undefined ? undefined : ['payload', scope.url, 'key', serializeKeyParts(parts)]
  } catch (error) {
    warn(scope, 'invalid_cache_key', error)
    return undefined
  }
}

function toEntry({ entry }: Loaded): Entry | undefined {
  if (entry === undefined) return undefined
  const { json, ...details } = entry
  return { storedAtMs: Date.now(), json, details }
}

function toPayload({ json, details }: Entry): CachedPayload {
  return { ...(details as unknown as Omit<CachedPayload, 'json'>), json }
}

function hasPayloadDetails(details: Entry['details']): boolean {
  const { componentCount, via, unmatched, sections, ...others } = details
  return (
    Number.isSafeInteger(componentCount) &&
    isStringArray(sections) &&
    (via === undefined || typeof via === 'string') &&
    (unmatched === undefined || isStringArray(unmatched)) &&
    Object.keys(others).length === 0
  )
}

function isStringArray(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
