import { integer, readOptions, withDefault } from '../internal/read-options.ts'
import { BoundedMap } from './bounded-map.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** Options of `memoryStore()`: its limits. */
export interface MemoryStoreOptions {
  /** The maximum number of entries. @default 2000 */
  readonly maxEntries?: number
  /**
   * The maximum size in bytes, counted as two for each character of keys and
   * values.
   * @default 16777216 (16 MiB)
   */
  readonly maxBytes?: number
}

const memoryStores = new WeakSet<StoreAdapter>()

/**
 * Creates a store in the memory of this process (on Workers: of this isolate).
 *
 * The least recently used entries are dropped first. An entry that is larger
 * than `maxBytes` is not stored.
 *
 * @example
 * const store = memoryStore({ maxEntries: 5_000 })
 *
 * @throws {SidecardError} `invalid_options` if a limit is not a positive integer
 * @see docs/guides/caching.md#memory
 */
export function memoryStore(options: MemoryStoreOptions = {}): StoreAdapter {
  const { maxEntries, maxBytes } = readOptions('memoryStore', options, {
    maxEntries: withDefault(integer(1, Infinity), 2_000),
    maxBytes: withDefault(integer(1, Infinity), 16 * 1024 * 1024),
  })
  const entries = new BoundedMap(maxEntries, maxBytes)
  const store: StoreAdapter = {
    get: (key) => entries.get(key),
    set: (key, value) => entries.set(key, value),
  }
  memoryStores.add(store)
  return store
}

/**
 * Returns whether a store was created by `memoryStore()`, so that its entries are
 * from this process.
 */
export function isMemoryStore(store: StoreAdapter): boolean {
  return memoryStores.has(store)
}
