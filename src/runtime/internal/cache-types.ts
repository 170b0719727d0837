/**
 * The interfaces between the app and its caches. `sidecard/cache` implements them,
 * so that an app without a cache does not bundle one.
 */

/** The source of a value: a fresh entry, a stale entry, or no entry. */
export type CacheStatus = 'hit' | 'stale' | 'miss'

/** The parts of the context of a request that a cache uses. */
export interface CacheScope {
  /**
   * The app. Behind `app.mount()` or a proxy, two apps can have the same URL, but
   * not the same name.
   */
  readonly app: {
    readonly name: string
    readonly timeoutMs: number
    /** Set if the app has actions, which let entries expire. `parse` reads JSON with marks. */
    readonly actions?: { parse(this: void, json: string): unknown } | undefined
  }
  readonly c: {
    /** The raw bindings, by identity. Two environments never share an entry or a pending call. */
    readonly env: unknown
    readonly req: { readonly url: string }
  }
  /** The contract's seven IDs. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The validated bindings, for a store that is a function of them. */
  readonly env: unknown
  /** Keeps the runtime alive until a promise settles. */
  waitUntil(promise: Promise<unknown>): void
  /** Logs a problem of the cache, with fields about it. The request continues without it. */
  warnOfCache(problem: string, error?: unknown, about?: Readonly<Record<string, string>>): void
  /** Waits for a store, without counting the time toward the request's timeout. */
  untimed<R>(run: () => Promise<R>): Promise<R>
  /** Wraps each store access; see the option `instrument`. */
  span<R>(
    name: 'store.get' | 'store.set',
    attributes: Readonly<Record<string, string>>,
    run: () => Promise<R>,
  ): Promise<R>
}

/** A payload that can be cached. */
export interface CachedPayload {
  /** The whole payload as JSON. */
  readonly json: string
  readonly componentCount: number
  /** The titles of the sections, for the audit record. */
  readonly sections: readonly string[]
  /** The ID that identified the customer, and those without a match; see `identify()`. */
  readonly match: { readonly via: string; readonly unmatched: readonly string[] } | undefined
}

/** The result of `fetchData`, which is cached if it has no failures and no designed cards. */
export interface LoadedPayload extends CachedPayload {
  readonly failures?: readonly unknown[]
  /** Whether a part is a designed card, so that an older payload is wrong. */
  readonly isDesigned?: boolean
}

/** One lookup in a payload cache. */
export interface PayloadCacheRequest<Ctx, Result> {
  /** The context, whose public part is passed to the option `key`. */
  readonly ctx: Ctx & CacheScope
  /**
   * Calls `fetchData`. A `refresh` runs in the background, and no request receives
   * its result.
   */
  readonly load: (reason: 'miss' | 'refresh') => Promise<Result>
  /** Validates a payload from a store outside the process. Throws, or returns its JSON. */
  readonly encode: (payload: unknown) => string
}

/** The option `cache` of an app, created by `payloadCache()`. */
export interface PayloadCache<in Ctx = never> {
  /** Returns a payload from the cache, or the result of `load()`. */
  fetch<Result extends LoadedPayload>(
    request: PayloadCacheRequest<Ctx, Result>,
  ): Promise<
    (Result | CachedPayload) & {
      readonly cache: CacheStatus
      /** The argument of `expire()`, if the app has actions: a hash. */
      readonly cacheKey?: string | undefined
    }
  >
  /** Invalidates all entries of a key, and its running loads. @internal */
  expire?(ctx: CacheScope, cacheKey: string): Promise<void>
}

/** One lookup in a section cache. */
export interface SectionCacheRequest {
  readonly ctx: CacheScope
  /** The title of the section, for warnings. */
  readonly title: string
  /** The option `key` of the section. */
  readonly key: readonly unknown[] | undefined
  /** The timeout of `load`. @default the timeout of the app */
  readonly timeoutMs: number | undefined
  /** Loads the content of the section. The signal aborts at the timeout. */
  readonly load: (signal: AbortSignal) => unknown
  /** Validates the content. Throws, or returns a JSON array of components. */
  readonly encode: (content: unknown) => string
}

/**
 * The content of a section. `error` is present if the last load failed and
 * stale content is shown.
 */
export interface SectionCacheResult {
  readonly status: CacheStatus
  /** A JSON array of components. */
  readonly json: string
  /** The time of the load, in milliseconds since 1970. */
  readonly loadedAtMs: number
  readonly error?: unknown
}

/** The option `cache` of a section, created by `sectionCache()`. */
export interface SectionCache {
  readonly name: string
  /** Rejects with the error of `load()` if there is no content to show. */
  fetch(request: SectionCacheRequest): Promise<SectionCacheResult>
  /** Invalidates all entries of a key, and its running loads. @internal */
  expire?(ctx: CacheScope, key: readonly unknown[]): Promise<void>
}
