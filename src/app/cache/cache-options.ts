import type { Env } from 'hono'
import { SidecardError } from '../../errors.ts'
import type { CacheKeyOf } from './cache-key.ts'
import { memoryCache } from './memory-cache.ts'
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
  /** Where answers are kept, or a function that makes it of the bindings. @default memoryCache() */
  readonly store?: CacheStore | ((env: E['Bindings']) => CacheStore)
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
  readonly key: CacheKeyOf<E> | undefined
  readonly storeTimeoutMs: number
  storeOf(env: E['Bindings']): CacheStore
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
  expect(isDuration(ttlSeconds) && ttlSeconds > 0, 'ttlSeconds', 'a number of seconds above 0')
  expect(isDuration(staleSeconds), 'staleSeconds', 'a number of seconds, 0 for none')
  expect(
    isDuration(storeTimeoutMs) && storeTimeoutMs > 0 && storeTimeoutMs <= 60_000,
    'storeTimeoutMs',
    'above 0, at most 60,000',
  )
  expect(key === undefined || typeof key === 'function', 'key', 'a function')
  const { store = memoryCache() } = options
  expect(
    typeof store === 'function' || isStore(store),
    'store',
    'memoryCache(), kvCache(…), redisCache(…), storageCache(…) or your own get and set',
  )
  return {
    ttlMs: ttlSeconds * 1_000,
    lifeMs: (ttlSeconds + staleSeconds) * 1_000,
    key,
    storeTimeoutMs,
    storeOf: typeof store === 'function' ? rememberPerEnv(store) : () => store,
  }
}

/** So that `() => memoryCache()` is one cache, and not a new one for each request. */
function rememberPerEnv<Bindings>(
  make: (env: Bindings) => CacheStore,
): (env: Bindings) => CacheStore {
  const made = new WeakMap<object, CacheStore>()
  const noEnv = {}
  return (env) => {
    const owner = typeof env === 'object' && env !== null ? env : noEnv
    let store = made.get(owner)
    if (store === undefined) made.set(owner, (store = make(env)))
    return store
  }
}

function isStore(store: Partial<CacheStore> | null): boolean {
  return typeof store?.get === 'function' && typeof store.set === 'function'
}

/** Up to a century: milliseconds of it are still exact. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3_155_760_000
}

function expect(holds: boolean, option: string, wanted: string): void {
  if (!holds) {
    throw new SidecardError('invalid_options', `sidecard: cache.${option} must be ${wanted}.`)
  }
}
