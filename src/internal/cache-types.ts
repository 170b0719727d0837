/**
 * The interfaces between the app and its caches. `sidecard/cache` implements
 * them, so that the bundle of an app without a cache does not contain one.
 */

/** The source of a value: a fresh entry, a stale entry, or no entry. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** The parts of a request that a cache uses. */
export interface CacheScope {
  /** The name of the app. Two apps can have the same URL, behind `app.mount()` or a proxy. */
  readonly app: string
  /** The app's URL with its own query parameters in sorted order, without the contract's. */
  readonly url: string
  /** The contract's seven IDs. An absent ID is an empty string. */
  readonly ids: readonly string[]
  /** The raw bindings, by identity. Two environments never share an entry or a pending call. */
  readonly env: unknown
  /** The validated bindings, for a store that is a function of them. */
  readonly bindings: unknown
  /** Keeps the runtime alive until a promise settles. */
  waitUntil(promise: Promise<unknown>): void
  /** Logs that the cache could not be used. The request continues without it. */
  warn(problem: string, error?: unknown): void
  /** Wraps each store access; see the option `instrument`. */
  span<R>(name: 'store.get' | 'store.set', run: () => Promise<R>): Promise<R>
}

/** A payload in a cache. */
export interface CachedPayload {
  /** The whole payload as JSON. */
  readonly json: string
  readonly componentCount: number
  /** The ID that identified the customer; see `identify()`. */
  readonly via?: string
  /** The IDs that were present but had no match. */
  readonly unmatched?: readonly string[]
  /** The titles of the sections, for the audit record. */
  readonly sections: readonly string[]
}

/** One lookup in a payload cache. */
export interface PayloadCacheRequest<Ctx, Result> {
  readonly scope: CacheScope
  /** Passed to the option `key`. */
  readonly ctx: Ctx
  /**
   * The maximum duration of `load()`, in milliseconds. A shared call that takes
   * longer is abandoned.
   */
  readonly timeoutMs: number
  /** Validates JSON from a store outside the process. */
  isValid(json: string): boolean
  /**
   * Calls `fetchData`. `entry` is absent if the result must not be cached. A
   * `refresh` runs in the background, and no request receives its result.
   */
  load(
    reason: 'miss' | 'refresh',
  ): Promise<{ readonly result: Result; readonly entry?: CachedPayload }>
}

/** A payload from the cache, or the result of `load()`. */
export type PayloadCacheResult<Result> =
  | { readonly status: 'hit' | 'stale'; readonly entry: CachedPayload }
  | { readonly status: 'miss'; readonly result: Result }

/** The option `cache` of an app, created by `payloadCache()`. */
export interface PayloadCache<in Ctx = never> {
  fetch<Result>(request: PayloadCacheRequest<Ctx, Result>): Promise<PayloadCacheResult<Result>>
}

/** One lookup in a section cache. */
export interface SectionCacheRequest {
  readonly scope: CacheScope
  /** The option `key` of the section. */
  readonly key: readonly unknown[]
  readonly timeoutMs: number
  /** Validates a JSON array of components from a store outside the process. */
  isValid(json: string): boolean
  /** Loads the section's components as a JSON array. Its signal aborts at the timeout. */
  load(signal: AbortSignal): Promise<string>
}

/**
 * The content of a section. `error` is present if the last load failed and
 * stale content is shown.
 */
export interface SectionCacheResult {
  readonly status: CacheStatus
  /** A JSON array of components. */
  readonly json: string
  /** When the content was loaded, in milliseconds since 1970. */
  readonly loadedAtMs: number
  readonly error?: unknown
}

/** The option `cache` of a section, created by `sectionCache()`. */
export interface SectionCache {
  readonly name: string
  /** Rejects with the error of `load()` if there is no content to show. */
  fetch(request: SectionCacheRequest): Promise<SectionCacheResult>
}
