import { entryOf, entryText } from './entry-text.ts'
import { hashedKey } from './hashed-key.ts'
import { answerStore, type CacheStore } from './store.ts'

/** What is needed of a Workers KV namespace. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>
}

/** KV refuses a shorter life. */
const MIN_EXPIRATION_SECONDS = 60

/**
 * Keeps answers in Workers KV, for all isolates everywhere. Give it by a
 * function, since bindings belong to a request.
 *
 * @see docs/guides/caching.md#workers-kv
 * @example
 * cache: { ttlSeconds: 60, store: (env) => kvCache(env.ANSWERS) }
 */
export function kvCache(namespace: KvNamespace): CacheStore {
  return answerStore({
    async get(key) {
      return entryOf(await namespace.get(await hashedKey(key)))
    },
    async set(key, entry, ttlSeconds) {
      const expirationTtl = Math.max(MIN_EXPIRATION_SECONDS, Math.ceil(ttlSeconds))
      await namespace.put(await hashedKey(key), entryText(entry), { expirationTtl })
    },
  })
}
