import type { CacheEntry } from './store.ts'

/** An entry as one text, for stores that keep texts. */
export function entryText({ json, storedAtMs }: CacheEntry): string {
  return JSON.stringify({ json, storedAtMs })
}

/**
 * Reads an entry back. Some stores parse JSON on their own, so an object is as
 * good as its text; whether it is one to serve is judged by the cache.
 */
export function entryOf(stored: unknown): CacheEntry | undefined {
  const parsed: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored
  return typeof parsed === 'object' && parsed !== null ? (parsed as CacheEntry) : undefined
}
