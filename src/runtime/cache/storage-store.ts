import { adapterFor, type StoreAdapter } from './store-adapter.ts'

/** The part of an `unstorage` storage that `storageStore()` uses. */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: string, options: { ttl: number }): Promise<void>
}

/**
 * Creates a store that uses any driver of the `unstorage` package. Drivers that ignore
 * `ttl` keep expired entries, but Sidecard never serves them.
 *
 * @throws {SidecardError} `invalid_options` if the argument is not an `unstorage` storage
 * @see docs/guides/caching.md#other-stores
 * @example
 * const storage = createStorage({ driver: fsDriver({ base: './cache' }) })
 * sectionCache({ name: 'errors', ttlSeconds: 60, store: storageStore(storage) })
 */
export function storageStore(storage: KeyValueStorage): StoreAdapter {
  const methods = [['getItem', 'setItem']]
  return adapterFor('storageStore', storage, methods, 'an unstorage storage', {
    get: (key) => storage.getItem(key) as Promise<string | null>,
    set: (key, value, ttlSeconds) => storage.setItem(key, value, { ttl: Math.ceil(ttlSeconds) }),
  })
}
