import { hasMethods, invalidOption } from '../internal/read-options.ts'

/**
 * A store for cache entries with string keys and values.
 *
 * If it throws, hangs or returns an invalid value, Sidecard logs a warning, and
 * the request continues without the cache.
 *
 * @see docs/guides/caching.md#other-stores
 */
export interface StoreAdapter {
  /**
   * Returns the value of a key, or `null` or `undefined` if there is none. May
   * return a promise.
   */
  get(key: string): string | null | undefined | PromiseLike<string | null | undefined>
  /** Stores a value, which can be deleted after `ttlSeconds`. May return a promise. */
  set(key: string, value: string, ttlSeconds: number): unknown
}

/**
 * A store, or a function of the environment bindings that returns one. The
 * function is called once per environment.
 */
export type StoreAdapterSource<Bindings = unknown> =
  | StoreAdapter
  | ((env: Bindings) => StoreAdapter | PromiseLike<StoreAdapter>)

/** Returns whether a value can be used as a store. */
export function isStoreAdapter(value: unknown): value is StoreAdapter {
  return hasMethods(value, 'get', 'set')
}

const adapters = new WeakMap<object, StoreAdapter>()

/**
 * Returns the adapter of a client, always the same one, so that Sidecard detects
 * whether two environments share a client.
 *
 * @param expected completes the sentence "the argument must be …"
 * @throws {SidecardError} `invalid_options` if the client has none of the lists of
 * methods
 */
export function adapterFor(
  caller: string,
  client: object,
  methods: readonly (readonly string[])[],
  expected: string,
  adapter: StoreAdapter,
): StoreAdapter {
  if (!methods.some((names) => hasMethods(client, ...names))) {
    throw invalidOption(caller, 'the argument', expected, client)
  }
  const known = adapters.get(client)
  if (known === undefined) adapters.set(client, adapter)
  return known ?? adapter
}
