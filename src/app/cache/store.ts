/**
 * A checked answer, as it is kept.
 *
 * @see docs/guides/caching.md#your-own-store
 */
export interface CacheEntry {
  /** The JSON of the payload. */
  readonly json: string
  /** When the answer was made, in milliseconds since 1970. */
  readonly storedAtMs: number
}

/**
 * Where answers are kept. A store may fail, hang or lie: the app then asks
 * `fetchData`, and what a store gives back is checked before it is served.
 *
 * @see docs/guides/caching.md#your-own-store
 */
export interface CacheStore {
  /** Gives what was kept under this key, of any length; nothing where there is none. */
  get(key: string): CacheEntry | null | undefined | Promise<CacheEntry | null | undefined>
  /** Keeps an entry, which is of no use after `ttlSeconds`. */
  set(key: string, entry: CacheEntry, ttlSeconds: number): unknown
}
