import {
  type SectionCache,
  sectionCache,
  type SectionCacheOptions,
  type StoreAdapter,
} from '../../src/runtime/cache/index.ts'
import type { FetchDataParams } from '../../src/runtime/contract/parameters.ts'
import { FETCH_DATA_PARAMETERS } from '../../src/runtime/contract/parameters.ts'
import type {
  CacheScope,
  EncodedContent,
  SectionCacheRequest,
  SectionPlace,
} from '../../src/runtime/internal/cache-types.ts'

/** A scope that records its use by a cache. */
export interface RecordingScope extends CacheScope {
  readonly params: FetchDataParams
  readonly warnings: {
    readonly problem: string
    readonly error: unknown
    readonly about?: object
  }[]
  readonly spans: string[]
  /** Waits until all promises of `waitUntil()` have settled. Rejects if one of them rejected. */
  finish(): Promise<void>
}

export type Ids = Partial<Record<keyof FetchDataParams, string>>

export interface ScopeOptions {
  readonly app?: string
  readonly url?: string
  readonly ids?: Ids
  readonly env?: unknown
  readonly timeoutMs?: number
  /** Whether the app has actions. */
  readonly actions?: boolean
}

export function createScope({
  actions = false,
  app = 'Test',
  url = 'https://app.example/',
  ids: given,
  env,
  timeoutMs = 1_000,
}: ScopeOptions = {}): RecordingScope {
  const ids: Ids = { organization_id: 'org-1', ...given }
  const background: Promise<unknown>[] = []
  const scope: RecordingScope = {
    app: { name: app, timeoutMs, ...(actions && { actions: { parse: JSON.parse } }) },
    c: { env, req: { url } },
    params: Object.fromEntries(
      FETCH_DATA_PARAMETERS.map((name) => [name, ids[name]]),
    ) as unknown as FetchDataParams,
    env,
    shown: [],
    warnings: [],
    spans: [],
    waitUntil: (promise) => void background.push(promise),
    warnOfCache: (problem, error, about) =>
      void scope.warnings.push({ problem, error, ...(about && { about }) }),
    untimed: (run) => run(),
    span: (name, _, run) => {
      scope.spans.push(name)
      return run()
    },
    async finish() {
      while (background.length > 0) {
        // oxlint-disable-next-line no-await-in-loop -- background work may start more background work
        await background.shift()
      }
    },
  }
  return scope
}

/** Creates a section cache with a unique name. */
export function createCache<Bindings>(
  options: Omit<SectionCacheOptions<Bindings>, 'name'>,
  name = uniqueName(),
): SectionCache {
  return sectionCache({ name, ...options })
}

export interface ContentOptions extends ScopeOptions {
  readonly scope?: RecordingScope
  isValid?(json: string): boolean
  load(): Promise<string>
}

/** Fetches the content for some IDs. Returns a string such as `hit {"n":1}`, or `failed`. */
export async function fetchContent(
  cache: SectionCache,
  options: ContentOptions,
): Promise<{ text: string; scope: RecordingScope; error?: unknown }> {
  const scope = options.scope ?? createScope(options)
  try {
    return await fetchSection(cache, { ...options, scope, key: keyOf(scope) })
  } catch (error) {
    return { text: 'failed', scope, error }
  }
}

/** The place of a section without a customer. */
export function placeOf(key: readonly unknown[]): SectionPlace {
  return { title: 'Orders', customers: [], key, shared: false }
}

/** The key of the content for some IDs. */
export function keyOf({ params }: RecordingScope): readonly string[] {
  return FETCH_DATA_PARAMETERS.map((name) => `${name}=${params[name] ?? ''}`)
}

/** Invalidates the content for some IDs, as an action does. */
export async function invalidateContent(cache: SectionCache, scope: RecordingScope): Promise<void> {
  const subject = await cache.locate?.(scope, placeOf(keyOf(scope)))
  await cache.invalidate?.(scope, subject ?? fail('The content has no subject.'))
}

/** Creates a source that numbers its payloads. */
export function createNumberedSource() {
  const source = {
    calls: 0,
    async load(): Promise<string> {
      source.calls += 1
      return `{"n":${source.calls}}`
    },
  }
  return source
}

export interface SectionOptions extends ScopeOptions {
  readonly key?: readonly unknown[]
  readonly scope?: RecordingScope
  isValid?(json: string): boolean
  readonly load: SectionCacheRequest['load']
}

/** Fetches from a section cache as the app does. */
export async function fetchSection(cache: SectionCache, options: SectionOptions) {
  const { key = ['a'], isValid, load } = options
  const scope = options.scope ?? createScope(options)
  const encode = createEncode(isValid)
  const result = await cache.fetch({
    ctx: scope,
    place: placeOf(key),
    timeoutMs: undefined,
    load,
    encode,
  })
  return { ...result, text: `${result.status} ${result.json}`, scope }
}

/** Creates an asynchronous store in a map. */
export function createMapStore(values = new Map<string, string>()) {
  const ttls: number[] = []
  const store: StoreAdapter = {
    async get(key) {
      return values.get(key)
    },
    async set(key, value, ttlSeconds) {
      ttls.push(ttlSeconds)
      values.set(key, value)
    },
  }
  return { ...store, values, ttls }
}

/** Whether a name in a store is that of an entry, and not of a mark. */
export function isEntryName(name: string): boolean {
  return /^sidecard:[0-9a-f]{64}/.test(name)
}

let sectionNames = 0

/** Returns a unique name for a cache. */
export function uniqueName(): string {
  return `section ${(sectionNames += 1)}`
}

/** Creates a promise that a test settles. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Creates the function that encodes what a test loads: JSON, or the value of valid JSON. */
function createEncode(isValid = (_json: string) => true): (value: unknown) => EncodedContent {
  return (value) => {
    if (typeof value === 'string') return { json: value, componentCount: 1 }
    const json = JSON.stringify(value)
    return isValid(json) ? { json, componentCount: 1 } : fail('The JSON is invalid.')
  }
}

function fail(message: string): never {
  throw new Error(message)
}
