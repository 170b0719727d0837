import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../contract/parameters.ts'
import type {
  CachedPayload,
  CacheScope,
  LoadedPayload,
  PayloadCache,
  PayloadCacheRequest,
} from '../internal/cache-types.ts'
import { kind, readOptions } from '../internal/read-options.ts'
import { type CacheKeyPart, isAbsentPart, serializeKeyParts } from './cache-key.ts'
import { type Content, type Entry, isOwnJson } from './entry.ts'
import { createEntryCache, GRACE_MS } from './entry-cache.ts'
import { ENTRY_OPTIONS, type EntryOptions } from './entry-options.ts'
import { waitFor } from './pending-calls.ts'

/** The part of the `fetchData` context that is passed to `key`. */
export interface PayloadKeyContext<Bindings = unknown> {
  readonly params: FetchDataParams
  readonly env: Bindings
  require(this: void, name: FetchDataParameter): string
}

/** Options of `payloadCache()`. */
export interface PayloadCacheOptions<Bindings, Ctx> extends EntryOptions<Bindings> {
  /**
   * Returns the values that `fetchData` depends on, instead of the seven IDs. If
   * it returns `undefined`, or a part is absent, the payload is not cached.
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
  const { lookUp, invalidate } = createEntryCache<LoadedPayload>(entryOptions)

  return {
    expire: invalidate,
    async fetch<Result extends LoadedPayload>({
      ctx,
      load,
      encode,
    }: PayloadCacheRequest<Ctx & PayloadKeyContext<Bindings>, Result>) {
      const { params, app } = ctx
      const { found, loading, subject } = await lookUp({
        ctx,
        timeoutMs: app.timeoutMs,
        createKey() {
          // Keys start with their kind, so that a custom key with seven parts never equals the
          // default key.
          if (key === undefined) {
            if (isAbsentPart(params.organization_id)) return { absent: 'organization_id' }
            return ['payload', 'ids', ...listIds(params)]
          }
          const returned = key(ctx)
          if (returned === undefined) return undefined
          const parts = serializeKeyParts('payloadCache', returned)
          return typeof parts === 'string' ? ['payload', 'key', parts] : parts
        },
        isValid: ({ json, details }) => isPayload(details) && isOwnJson(json, encode, app),
        load,
        toContent,
        isDesigned: ({ isDesigned }) => isDesigned === true,
      })
      const cacheKey = app.actions && subject
      if (found !== undefined) {
        return { ...readPayload(found), cache: found.isFresh ? 'hit' : 'stale', cacheKey }
      }
      const maxMs = app.timeoutMs + entryOptions.storeTimeoutMs + GRACE_MS
      const loaded = (loading && (await waitFor(loading, maxMs))) ?? (await load('miss'))
      return { ...(loaded as Result), cache: 'miss', cacheKey }
    },
  }
}

function listIds(params: CacheScope['params']): string[] {
  return FETCH_DATA_PARAMETERS.map((name) => params[name] ?? '')
}

type Details = Pick<CachedPayload, 'componentCount' | 'sections'> &
  Partial<NonNullable<CachedPayload['match']>>

function toContent({
  json,
  componentCount,
  sections,
  match,
  failures,
}: LoadedPayload): Content | undefined {
  if (failures !== undefined) return undefined
  const details: Details = { componentCount, sections, ...match }
  return { json, details: { ...details } }
}

function readPayload({ json, details }: Content): CachedPayload {
  const { componentCount, sections, via, unmatched = [] } = details as unknown as Details
  const match = via === undefined ? undefined : { via, unmatched }
  return { json, componentCount, sections, match }
}

/** The names in `via` and `unmatched`: the keys of the lookups of `identify()`. */
const LOOKUPS: readonly unknown[] = [...FETCH_DATA_PARAMETERS, 'email_domain']

/**
 * Returns whether details are valid. They reach the log and the audit record, so a
 * tampered entry must not add other values.
 */
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
