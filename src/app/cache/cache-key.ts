import type { Env } from 'hono'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { SidecardError } from '../../errors.ts'
import type { FetchDataContext } from '../context.ts'

/** One part of a key. Absent and `null` are the same part; a number must be finite. */
export type CacheKeyPart = string | number | boolean | null | undefined

/** Names what an answer depends on; `undefined` keeps an answer out of the cache. */
export type CacheKeyOf<E extends Env> = (
  ctx: FetchDataContext<E>,
) => readonly CacheKeyPart[] | undefined

/**
 * The key of a request: where the app is mounted, and all seven ids or what
 * `key` names instead. A JSON array, so no separator inside an id can make two
 * keys meet.
 *
 * @throws {SidecardError} `invalid_cache_key` when `key` gave something else than an array of parts
 */
export function cacheKey<E extends Env>(
  ctx: FetchDataContext<E>,
  keyOf: CacheKeyOf<E> | undefined,
): string | undefined {
  const address = addressOf(ctx.c.req.url)
  if (keyOf === undefined) {
    return JSON.stringify([address, ...FETCH_DATA_PARAMETERS.map((name) => ctx.params[name])])
  }
  const parts: unknown = keyOf(ctx)
  if (parts === undefined) return undefined
  // A promise or a Map is "{}" in JSON: one key for every customer.
  if (!Array.isArray(parts) || !parts.every(isPart)) {
    throw new SidecardError(
      'invalid_cache_key',
      'cache.key must return an array of strings, finite numbers and booleans, and not a promise of one.',
    )
  }
  // Nested, so that it never equals a key of the seven ids.
  return JSON.stringify([address, parts])
}

/** Origin and path: two apps of one server, or one below a path with a parameter, share nothing. */
function addressOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

function isPart(part: unknown): boolean {
  if (part === null || part === undefined) return true
  return typeof part === 'number'
    ? Number.isFinite(part)
    : typeof part === 'string' || typeof part === 'boolean'
}
