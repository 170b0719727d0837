import { entryOf, entryText } from './entry-text.ts'
import { hashedKey } from './hashed-key.ts'
import type { Env } from 'hono'
import { answerStore, type CacheStore } from './store.ts'

/** What is needed of a Workers KV namespace. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>
}

/** KV refuses a shorter life. */
const MIN_EXPIRATION_SECONDS = 60

/**
 * Keeps answers in Workers KV, for all isolates everywhere.
 *
 * @param namespaceOf finds the namespace in the bindings of the request
 * @see docs/guides/caching.md#workers-kv
 * @example
 * cache: { ttlSeconds: 60, store: kvCache((env) => env.ANSWERS) }
 */
export function kvCache<E extends Env = Env>(
  namespaceOf: (env: E['Bindings']) => KvNamespace,
): CacheStore<E> {
  return answerStore((env) => {
    const namespace = namespaceOf(env)
    return {
      async get(key) {
        return entryOf(await namespace.get(await hashedKey(key)))
      },
      async set(key, entry, ttlSeconds) {
        const expirationTtl = Math.max(MIN_EXPIRATION_SECONDS, Math.ceil(ttlSeconds))
        await namespace.put(await hashedKey(key), entryText(entry), { expirationTtl })
      },
    }
  })
}
