import type { Env } from 'hono'
import type { RequestContext } from '../context.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { AnswerCache } from './answer-cache.ts'
import type { CacheOptions } from './cache-options.ts'

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

/** A place, or a function that finds it in the environment of the request. */
export type PlaceSource<E extends Env> = AnswerPlace | ((env: E['Bindings']) => AnswerPlace)

/** A cache in use by one app. */
export interface OpenCache<E extends Env> {
  answer(ctx: RequestContext<E>, app: ResolvedOptions<E>): Promise<Outcome>
}

/**
 * Where answers are kept, with what it takes to use it: the cache comes with
 * its store, so that a Worker without one does not carry it.
 */
export interface CacheStore<E extends Env = Env> {
  /** For the framework. */
  open(options: CacheOptions<E>): OpenCache<E>
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
export function answerStore<E extends Env = Env>(place: PlaceSource<E>): CacheStore<E> {
  const placeOf = typeof place === 'function' ? oncePerEnv(place) : () => place
  return { open: (options) => new AnswerCache(placeOf, options) }
}

/** So that a place made in the function is one place, and not a new one for each request. */
function oncePerEnv<E extends Env>(
  find: (env: E['Bindings']) => AnswerPlace,
): (env: E['Bindings']) => AnswerPlace {
  const found = new WeakMap<object, AnswerPlace>()
  const noEnv = {}
  return (env) => {
    const owner = typeof env === 'object' && env !== null ? env : noEnv
    let place = found.get(owner)
    if (place === undefined) found.set(owner, (place = find(env)))
    return place
  }
}
