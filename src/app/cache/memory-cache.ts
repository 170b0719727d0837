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

/** A link of the ring; the entry is absent in the one where it begins and ends. */
interface Link {
  readonly key: string
  readonly entry: CacheEntry | undefined
  readonly expiresAtMs: number
  readonly bytes: number
  newer: Link
  older: Link
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
  const kept = new Map<string, Link>()
  // A ring rather than the order of the Map: moving a key to the end of a Map with
  // each hit makes garbage that outlives the request, and the process grows by it.
  const ring = emptyRing()
  let heldBytes = 0

  function drop(link: Link): void {
    unlink(link)
    heldBytes -= link.bytes
    kept.delete(link.key)
  }

  return answerStore({
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      if (found.expiresAtMs < Date.now()) return drop(found) as undefined
      if (ring.older !== found) {
        unlink(found)
        linkNewest(found, ring)
      }
      return found.entry
    },
    set(key, entry, ttlSeconds) {
      const before = kept.get(key)
      if (before !== undefined) drop(before)
      const bytes = (key.length + entry.json.length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
      if (bytes > maxBytes) return
      const expiresAtMs = Date.now() + ttlSeconds * 1_000
      const link: Link = { key, entry, bytes, expiresAtMs, newer: ring, older: ring }
      linkNewest(link, ring)
      kept.set(key, link)
      heldBytes += bytes
      while (kept.size > maxEntries || heldBytes > maxBytes) drop(ring.newer)
    },
  })
}

/** The newest link is older than the ring's own, the least recently used is newer. */
function emptyRing(): Link {
  const ring = { key: '', entry: undefined, bytes: 0, expiresAtMs: 0 } as unknown as Link
  ring.newer = ring
  ring.older = ring
  return ring
}

function unlink({ newer, older }: Link): void {
  newer.older = older
  older.newer = newer
}

function linkNewest(link: Link, ring: Link): void {
  link.newer = ring
  link.older = ring.older
  ring.older.newer = link
  ring.older = link
}
