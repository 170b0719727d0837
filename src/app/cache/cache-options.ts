import type { Env } from 'hono'
import { expectOption } from '../expect-option.ts'
import type { CacheKeyOf } from './cache-key.ts'
import type { CacheStore } from './store.ts'

/**
 * Keeps checked answers for a while, so that a slow source is not asked twice.
 * Only answers without any fault are kept.
 *
 * @see docs/guides/caching.md
 */
export interface CacheOptions<E extends Env = Env> {
  /** How long an answer is served as it is, in seconds. */
  readonly ttlSeconds: number
  /**
   * How long after that it is still served, while one request asks `fetchData`
   * for a new one behind it, in seconds.
   * @default 0
   */
  readonly staleSeconds?: number
  /**
   * Where answers are kept: `memoryCache()`, `kvCache()`, `redisCache()`, `storageCache()`
   * or `answerStore()`.
   */
  readonly store: CacheStore<E>
  /** What an answer depends on. @default all seven ids of the request */
  readonly key?: CacheKeyOf<E>
  /**
   * How long the store may take before `fetchData` is asked instead, in milliseconds,
   * at most 60,000.
   * @default 500
   */
  readonly storeTimeoutMs?: number
}

/** Options with every default filled in. */
export interface ResolvedCacheOptions<E extends Env> {
  readonly ttlMs: number
  /** Of `ttlSeconds` and `staleSeconds` together. */
  readonly lifeMs: number
  readonly storeTimeoutMs: number
  readonly key: CacheKeyOf<E> | undefined
}

/**
 * Checks the options of the cache once, when the app is made.
 *
 * @throws {SidecardError} `invalid_options` with the option's name and what it should be
 */
export function resolveCacheOptions<E extends Env>(
  options: CacheOptions<E>,
): ResolvedCacheOptions<E> {
  const { ttlSeconds, staleSeconds = 0, key, storeTimeoutMs = 500 } = options
  expectOption(isDuration(ttlSeconds) && ttlSeconds > 0, 'cache.ttlSeconds', 'a number above 0')
  expectOption(isDuration(staleSeconds), 'cache.staleSeconds', 'a number, 0 for none')
  expectOption(
    storeTimeoutMs > 0 && storeTimeoutMs <= 60_000,
    'cache.storeTimeoutMs',
    'above 0, at most 60,000',
  )
  expectOption(key === undefined || typeof key === 'function', 'cache.key', 'a function')
  return {
    ttlMs: ttlSeconds * 1_000,
    lifeMs: (ttlSeconds + staleSeconds) * 1_000,
    storeTimeoutMs,
    key,
  }
}

/** Up to a century: milliseconds of it are still exact. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3_155_760_000
}
