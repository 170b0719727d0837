import type { PayloadCache, PayloadKeyContext, SectionCache, StoreAdapter } from 'sidecard/cache'
import type { FetchDataParams } from '../../src/contract/parameters.ts'
import { FETCH_DATA_PARAMETERS } from '../../src/contract/parameters.ts'
import type { CacheScope, SectionCacheRequest } from '../../src/internal/cache-types.ts'

/** A scope that records its use by a cache. */
export interface RecordingScope extends CacheScope {
  readonly warnings: { readonly problem: string; readonly error: unknown }[]
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
}

export function createScope({
  app = 'Test',
  url = 'https://app.example/',
  ids = {},
  env,
}: ScopeOptions = {}): RecordingScope {
  const background: Promise<unknown>[] = []
  const scope: RecordingScope = {
    app,
    url,
    ids: FETCH_DATA_PARAMETERS.map((name) => ids[name] ?? ''),
    env,
    bindings: env,
    warnings: [],
    spans: [],
    waitUntil: (promise) => void background.push(promise),
    warn: (problem, error) => void scope.warnings.push({ problem, error }),
    span: (name, run) => {
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

export interface PayloadOptions extends ScopeOptions {
  readonly timeoutMs?: number
  readonly scope?: RecordingScope
  isValid?(json: string): boolean
  /** Returns the payload's JSON, or `undefined` for a payload that must not be cached. */
  load(reason: 'miss' | 'refresh'): Promise<string | undefined>
}

/** Fetches from a payload cache as the app does. Returns a string such as `hit {"n":1}`. */
export async function fetchPayload(
  cache: PayloadCache<PayloadKeyContext>,
  options: PayloadOptions,
): Promise<{ text: string; scope: RecordingScope }> {
  const { ids = {}, timeoutMs = 1_000, isValid = isJson, load } = options
  const scope = options.scope ?? createScope(options)
  const params = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, ids[name]]))
  const result = await cache.fetch({
    scope,
    timeoutMs,
    ctx: {
      params: params as unknown as FetchDataParams,
      env: scope.env,
      require: (name) => ids[name] ?? fail(`no ${name}`),
    },
    isValid,
    async load(reason) {
      const json = await load(reason)
      if (json === undefined) return { result: 'failed' }
      return { result: json, entry: { json, componentCount: 1, sections: ['Orders'] } }
    },
  })
  const json = result.status === 'miss' ? result.result : result.entry.json
  return { text: `${result.status} ${json}`, scope }
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
  readonly timeoutMs?: number
  readonly scope?: RecordingScope
  readonly isValid?: SectionCacheRequest['isValid']
  readonly load: SectionCacheRequest['load']
}

/** Fetches from a section cache as the app does. */
export async function fetchSection(cache: SectionCache, options: SectionOptions) {
  const { key = ['a'], timeoutMs = 1_000, isValid = isJson, load } = options
  const scope = options.scope ?? createScope(options)
  const result = await cache.fetch({ scope, key, timeoutMs, isValid, load })
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

function isJson(json: string): boolean {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

function fail(message: string): never {
  throw new Error(message)
}
