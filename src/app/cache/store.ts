import type { Env } from 'hono'
import { AnswerCache, type CacheTimes } from './answer-cache.ts'

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

/** Somewhere to keep answers. It may fail, hang or lie: see `answerStore()`. */
export interface AnswerPlace {
  /** Gives what was kept under this key, of any length; nothing where there is none. */
  get(key: string): CacheEntry | null | undefined | Promise<CacheEntry | null | undefined>
  /** Keeps an entry, which is of no use after `ttlSeconds`. */
  set(key: string, entry: CacheEntry, ttlSeconds: number): unknown
}

/**
 * Where answers are kept, with what it takes to use it: the cache comes with
 * its store, so an app without one does not carry it.
 */
export interface CacheStore extends AnswerPlace {
  /** For the framework. */
  open<E extends Env>(times: CacheTimes<E>): AnswerCache<E>
}

/**
 * Makes a store of any place. When the place throws, hangs or lies, the app
 * asks `fetchData`; what it gives back is checked before it is served.
 *
 * @see docs/guides/caching.md#your-own-store
 * @example
 * const kept = new Map<string, CacheEntry>()
 * const store = answerStore({ get: (key) => kept.get(key), set: (key, entry) => kept.set(key, entry) })
 */
export function answerStore(place: AnswerPlace): CacheStore {
  return {
    get: (key) => place.get(key),
    set: (key, entry, ttlSeconds) => place.set(key, entry, ttlSeconds),
    open: (times) => new AnswerCache(place, times),
  }
}
