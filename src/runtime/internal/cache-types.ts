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
    /** Set if the app has actions, whose `parse` reads JSON with marks. */
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
  /** Records a cached section, so that the links of actions can invalidate it. */
  readonly shown: ShownSubject[]
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

/** A customer whom `identify()` found: the kind of the ID, and the ID. */
export type IdentifiedCustomer = readonly [kind: string, id: unknown]

/** The place of a section's content in a cache. */
export interface SectionPlace {
  /** The title of the section. */
  readonly title: string
  /** All customers that were identified when the section started. Empty if it is shared. */
  readonly customers: readonly IdentifiedCustomer[]
  /** The option `key` of the section. */
  readonly key: readonly unknown[] | undefined
  /** The option `shared` of the section. */
  readonly shared: boolean
}

/** The content of a section as JSON: an array of components. */
export interface EncodedContent {
  readonly json: string
  readonly componentCount: number
}

/** One lookup in a section cache. */
export interface SectionCacheRequest {
  readonly ctx: CacheScope
  readonly place: SectionPlace
  /** The timeout of `load`. @default the timeout of the app */
  readonly timeoutMs: number | undefined
  /** Loads the content of the section. The signal aborts at the timeout. */
  readonly load: (signal: AbortSignal) => unknown
  /** Validates the content, and writes its JSON. Throws if it is invalid. */
  readonly encode: (content: unknown) => EncodedContent
}

/**
 * The content of a section. `error` is present if the last load failed and
 * stale content is shown.
 */
export interface SectionCacheResult extends EncodedContent {
  readonly status: CacheStatus
  /** The time of the load, in milliseconds since 1970. */
  readonly loadedAtMs: number
  readonly error?: unknown
}

/** The option `cache` of a section, created by `sectionCache()`. */
export interface SectionCache {
  readonly name: string
  /** Rejects with the error of `load()` if there is no content to show. */
  fetch(request: SectionCacheRequest): Promise<SectionCacheResult>
  /** Returns the subject of a section's content; `undefined` if it is not cached. @internal */
  locate?(ctx: CacheScope, place: SectionPlace): Promise<string | undefined>
  /** Invalidates all entries of a subject, and its running loads. @internal */
  invalidate?(ctx: CacheScope, subject: string): Promise<void>
}

/** The subject of a cached section, and the name of its cache. */
export interface CachedSubject {
  readonly cache: string
  readonly subject: string
}

/** A cached section that a response shows, even if it failed. */
export interface ShownSubject extends CachedSubject {
  readonly title: string
  /** When the content expires, in milliseconds since 1970. */
  readonly expiresAtMs: number
}
