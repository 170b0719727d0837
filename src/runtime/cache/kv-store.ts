import { adapterFor, type StoreAdapter } from './store-adapter.ts'

/** The part of a Workers KV namespace that `kvStore()` uses. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>
}

/** The minimum expiration that KV accepts. */
const MIN_EXPIRATION_SECONDS = 60

/**
 * Creates a store in Workers KV, shared by all isolates.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not a KV namespace
 * @see docs/guides/caching.md#workers-kv
 * @example
 * sectionCache({ name: 'errors', ttlSeconds: 60, store: (env: Env) => kvStore(env.PAYLOADS) })
 */
export function kvStore(namespace: KvNamespace): StoreAdapter {
  const expected = 'a KV namespace: check the name of the binding'
  return adapterFor('kvStore', namespace, [['get', 'put']], expected, {
    get: (key) => namespace.get(key),
    set: (key, value, ttlSeconds) =>
      namespace.put(key, value, {
        expirationTtl: Math.max(MIN_EXPIRATION_SECONDS, Math.ceil(ttlSeconds)),
      }),
  })
}
