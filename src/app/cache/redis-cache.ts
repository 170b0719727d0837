import type { Env } from 'hono'
import { entryOf, entryText } from './entry-text.ts'
import { hashedKey } from './hashed-key.ts'
import { answerStore, type CacheStore } from './store.ts'

/** What is needed of a client of the `redis` package (node-redis). */
export interface RedisClient {
  get(key: string): Promise<unknown>
  set(key: string, value: string, options: { EX: number }): Promise<unknown>
}

/**
 * Keeps answers in Redis, for all processes. Sidecard does not depend on a
 * Redis client: connect your own and give it.
 *
 * @see docs/guides/caching.md#redis
 * @example
 * const redis = await createClient({ url: process.env.REDIS_URL }).connect()
 * cache: { ttlSeconds: 60, store: redisCache(redis) }
 */
export function redisCache<E extends Env = Env>(client: RedisClient): CacheStore<E> {
  return answerStore({
    async get(key) {
      return entryOf(await client.get(await hashedKey(key)))
    },
    async set(key, entry, ttlSeconds) {
      await client.set(await hashedKey(key), entryText(entry), { EX: Math.ceil(ttlSeconds) })
    },
  })
}
