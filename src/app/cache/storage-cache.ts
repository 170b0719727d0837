import type { Env } from 'hono'
import { entryOf, entryText } from './entry-text.ts'
import { hashedKey } from './hashed-key.ts'
import { answerStore, type CacheStore } from './store.ts'

/** What is needed of a storage of the `unstorage` package. */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: string, options: { ttl: number }): Promise<void>
}

/**
 * Keeps answers wherever `unstorage` has a driver for. Whether `ttl` makes old
 * entries go away depends on the driver; one that is too old is never served.
 *
 * @see docs/guides/caching.md#unstorage
 * @example
 * const storage = createStorage({ driver: redisDriver({ url: process.env.REDIS_URL }) })
 * cache: { ttlSeconds: 60, store: storageCache(storage) }
 */
export function storageCache<E extends Env = Env>(storage: KeyValueStorage): CacheStore<E> {
  return answerStore({
    async get(key) {
      return entryOf(await storage.getItem(await hashedKey(key)))
    },
    async set(key, entry, ttlSeconds) {
      const ttl = Math.ceil(ttlSeconds)
      await storage.setItem(await hashedKey(key), entryText(entry), { ttl })
    },
  })
}
