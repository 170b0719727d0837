import type { Env } from 'hono'
import { expectOption } from '../expect-option.ts'
import type { CacheKeyOf } from './cache-key.ts'
import type { AnswerCache, CacheTimes } from './answer-cache.ts'
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
   * or `answerStore()`, or a function that makes it of the bindings.
   */
  readonly store: CacheStore | ((env: E['Bindings']) => CacheStore)
  /** What an answer depends on. @default all seven ids of the request */
  readonly key?: CacheKeyOf<E>
  /**
   * How long the store may take before `fetchData` is asked instead, in milliseconds,
   * at most 60,000.
   * @default 500
   */
  readonly storeTimeoutMs?: number
}

/** Gives the cache for the bindings of a request; throws where their store cannot be made. */
export type CacheOf<E extends Env> = (env: E['Bindings']) => AnswerCache<E>

/**
 * Checks the options of the cache once, when the app is made.
 *
 * @throws {SidecardError} `invalid_options` with the option's name and what it should be
 */
export function openCache<E extends Env>(options: CacheOptions<E>): CacheOf<E> {
  const { ttlSeconds, staleSeconds = 0, store, key, storeTimeoutMs = 500 } = options
  expectOption(isDuration(ttlSeconds) && ttlSeconds > 0, 'cache.ttlSeconds', 'a number above 0')
  expectOption(isDuration(staleSeconds), 'cache.staleSeconds', 'a number, 0 for none')
  expectOption(
    storeTimeoutMs > 0 && storeTimeoutMs <= 60_000,
    'cache.storeTimeoutMs',
    'above 0, at most 60,000',
  )
  expectOption(key === undefined || typeof key === 'function', 'cache.key', 'a function')
  const times: CacheTimes<E> = {
    ttlMs: ttlSeconds * 1_000,
    lifeMs: (ttlSeconds + staleSeconds) * 1_000,
    storeTimeoutMs,
    key,
  }
  if (typeof store === 'function') return openPerEnv(store, times)
  expectOption(
    typeof store?.open === 'function',
    'cache.store',
    'memoryCache(), kvCache(…), redisCache(…), storageCache(…), or answerStore({ get, set })',
  )
  const cache = store.open(times)
  return () => cache
}

/** So that `() => memoryCache()` is one cache, and not a new one for each request. */
function openPerEnv<E extends Env>(
  make: (env: E['Bindings']) => CacheStore,
  times: CacheTimes<E>,
): CacheOf<E> {
  const opened = new WeakMap<object, AnswerCache<E>>()
  const noEnv = {}
  return (env) => {
    const owner = typeof env === 'object' && env !== null ? env : noEnv
    let cache = opened.get(owner)
    if (cache === undefined) opened.set(owner, (cache = make(env).open(times)))
    return cache
  }
}

/** Up to a century: milliseconds of it are still exact. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3_155_760_000
}
