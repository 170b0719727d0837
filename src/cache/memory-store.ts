import { assertOption, assertOptions } from './assert-option.ts'
import { flatString } from './flat-string.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** Options for `memoryStore()`: its limits. */
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

/** The maximum size of a character in a JavaScript string. */
const BYTES_PER_CHARACTER = 2

/** The map slot and the headers of the two strings, as measured on Node 24, rounded up. */
const BYTES_PER_ENTRY = 300

const memoryStores = new WeakSet<StoreAdapter>()

/**
 * Creates a store in the memory of this process (on Workers: of this isolate).
 *
 * The least recently used entries are dropped first. An entry that is larger
 * than `maxBytes` is not stored.
 *
 * @throws {SidecardError} `invalid_options` if a limit is not a positive integer
 * @see docs/guides/caching.md#memory
 */
export function memoryStore(options: MemoryStoreOptions = {}): StoreAdapter {
  assertOptions('memoryStore', options, ['maxEntries', 'maxBytes'])
  const { maxEntries = 2_000, maxBytes = 16 * 1024 * 1024 } = options
  for (const [name, limit] of Object.entries({ maxEntries, maxBytes })) {
    assertOption(isPositiveInteger(limit), 'memoryStore', name, 'a positive integer')
  }
  // Entries in the order of their use, least recently used first.
  const entries = new Map<string, string>()
  let usedBytes = 0

  function drop(key: string, value: string): void {
    entries.delete(key)
    usedBytes -= measureEntry(key, value)
  }

  const store: StoreAdapter = {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      const previous = entries.get(key)
      if (previous !== undefined) drop(key, previous)
      const bytes = measureEntry(key, value)
      if (bytes > maxBytes) return
      entries.set(flatString(key), flatString(value))
      usedBytes += bytes
      for (const [oldestKey, oldest] of entries) {
        if (entries.size <= maxEntries && usedBytes <= maxBytes) break
        drop(oldestKey, oldest)
      }
    },
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

function isPositiveInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function measureEntry(key: string, value: string): number {
  return (key.length + value.length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
}
