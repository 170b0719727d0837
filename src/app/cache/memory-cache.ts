import type { Env } from 'hono'
import { SidecardError } from '../../errors.ts'
import { answerStore, type CacheEntry, type CacheStore } from './store.ts'

/** How much a memory cache may hold; the least recently used goes first. */
export interface MemoryCacheOptions {
  /** @default 2000 */
  readonly maxEntries?: number
  /** Two for each character of keys and answers. @default 16777216 (16 MiB) */
  readonly maxBytes?: number
}

interface Kept {
  readonly entry: CacheEntry
  readonly expiresAtMs: number
  readonly bytes: number
}

/** The worst case of a JavaScript string. */
const BYTES_PER_CHARACTER = 2

/** The objects around the two strings, as measured on Node 24, rounded up. */
const BYTES_PER_ENTRY = 300

/**
 * Keeps answers in this process (on Workers: in this isolate), in a map that
 * holds at most `maxEntries` and `maxBytes`. An entry that is too large alone
 * is not kept.
 *
 * @throws {SidecardError} `invalid_options` when a limit is not a whole number above 0
 * @see docs/guides/caching.md#memory
 */
export function memoryCache<E extends Env = Env>(options: MemoryCacheOptions = {}): CacheStore<E> {
  const { maxEntries = 2_000, maxBytes = 16 * 1024 * 1024 } = options
  for (const [name, limit] of Object.entries({ maxEntries, maxBytes })) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new SidecardError(
        'invalid_options',
        `memoryCache: ${name} must be a whole number above 0.`,
      )
    }
  }
  // A Map keeps the order of insertion, so its first key is the least recently used.
  const kept = new Map<string, Kept>()
  let heldBytes = 0

  function drop(key: string): void {
    heldBytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return answerStore({
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      if (found.expiresAtMs < Date.now()) return drop(key) as undefined
      kept.delete(key)
      kept.set(key, found)
      return found.entry
    },
    set(key, entry, ttlSeconds) {
      drop(key)
      const bytes = (key.length + entry.json.length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
      if (bytes > maxBytes) return
      kept.set(key, { entry, bytes, expiresAtMs: Date.now() + ttlSeconds * 1_000 })
      heldBytes += bytes
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && heldBytes <= maxBytes) break
        drop(oldest)
      }
    },
  })
}
