import type { CacheScope } from '../internal/cache-types.ts'
import { consumeRejections, runWithin } from '../internal/user-code.ts'
import type { Entry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { createEntryStore, type EntryStore, type FoundEntry } from './entry-store.ts'
import { type Environment, findEnvironment, StoreSharing } from './environment.ts'
import { FailureMemory } from './failure-memory.ts'
import { PendingCalls, waitFor } from './pending-calls.ts'
import { ownUrl } from './own-url.ts'
import { isStoreAdapter, type StoreAdapter } from './store-adapter.ts'

/** The functions that find, validate, load and store the value of a request. */
export interface Loader<T> {
  readonly ctx: CacheScope
  /** The maximum duration of `load()`, in milliseconds. */
  readonly timeoutMs: number
  /** Returns the key without the app, or `undefined` to bypass the cache. */
  readonly createKey: () => readonly string[] | undefined
  /** The name under which entries expire; see {@link EntryCache.expire}. */
  readonly subject: () => readonly string[]
  /** Validates an entry from a store outside the process. */
  readonly isValid: (entry: Entry) => boolean
  readonly load: (reason: 'miss' | 'refresh') => Promise<T>
  /** Converts a value to an entry, or returns `undefined` if the value must not be stored. */
  readonly toEntry: (value: T) => Entry | undefined
}

/**
 * The result of a lookup: an entry, a running load, both if the entry is stale,
 * or neither if the cache cannot be used.
 */
export interface Lookup<T> {
  readonly found?: FoundEntry | undefined
  readonly loading?: Promise<T> | undefined
  /** The error of the previous refresh of this key in this process, if it failed. */
  readonly previousError?: Error | undefined
}

/** The state of a cache in one environment. */
interface Partition<T> {
  readonly environment: Environment
  /** The result of the function in `store`. */
  source?: StoreAdapter | PromiseLike<StoreAdapter> | undefined
  store?: EntryStore
  readonly lookups: PendingCalls<Lookup<T>>
  readonly loads: PendingCalls<T>
  readonly failures: FailureMemory
}

/** Added to the timeout of a call before other callers stop waiting for it. */
export const GRACE_MS = 1_000

/**
 * More environments than this suggest that the host creates new bindings for each
 * request, so that there is never a hit.
 */
const SUSPICIOUS_ENVIRONMENTS = 100

/** The implementation of both caches. */
export interface EntryCache<T> {
  /**
   * Looks up the entry of a request, and starts a load if there is no fresh one.
   * After a failed refresh, a stale entry is not refreshed again until a pause is
   * over.
   */
  lookUp(this: void, loader: Loader<T>): Promise<Lookup<T>>
  /**
   * Makes the entries of a subject, whatever their URL is, count as absent if they
   * were stored before.
   */
  expire(this: void, ctx: CacheScope, subject: readonly string[]): Promise<void>
}

/** Creates entries in a store, and one call at a time for each key. */
export function createEntryCache<T>(options: ReadEntryOptions): EntryCache<T> {
  const { store: source, storeTimeoutMs } = options
  const partitions = new WeakMap<Environment, Partition<T>>()
  const sharing = new StoreSharing()
  let environmentCount = 0

  return { lookUp: findEntry, expire }

  async function findEntry(loader: Loader<T>): Promise<Lookup<T>> {
    const { ctx, createKey } = loader
    let parts: readonly string[] | undefined
    try {
      parts = createKey()
    } catch (error) {
      consumeRejections(error)
      ctx.warnOfCache('invalid_cache_key', error)
    }
    if (parts === undefined) return {}
    const partition = findPartition(ctx)
    const store = partition.store ?? (await openStore(partition, ctx))
    if (store === undefined) return {}
    const key = store.createKey([ctx.app.name, await ownUrl(ctx), ...parts])
    const maxMs = storeTimeoutMs + GRACE_MS
    const running = partition.lookups.get(key)
    const shared = running && (await waitFor(running, maxMs))
    if (shared !== undefined) return shared
    const result = lookUp(key, store, partition, loader)
    partition.lookups.add(key, maxMs, result, result)
    return result
  }

  async function lookUp(
    key: string,
    store: EntryStore,
    { loads, failures }: Partition<T>,
    { ctx, timeoutMs, isValid, load, toEntry, subject }: Loader<T>,
  ): Promise<Lookup<T>> {
    // A load may end while the store is being read. Its result counts, because the store may
    // return older content.
    const running = loads.get(key)
    const name = await store.locate(key)
    const [entry, expiredAtMs] = await Promise.all([
      store.read(name, ctx, isValid),
      ctx.app.actions && readExpiry(store, ctx, subject()),
    ])
    const found = entry && entry.storedAtMs <= (expiredAtMs ?? -1) ? undefined : entry
    if (found?.isFresh) {
      failures.forget(name)
      return { found }
    }
    const failure = found && failures.recall(name)
    const previousError = failure?.error
    const shared = running ?? loads.get(key)
    if (shared !== undefined) return { found, loading: shared, previousError }
    if (failure?.isRecent) return { found, previousError }
    const loading = (async () => load(found === undefined ? 'miss' : 'refresh'))()
    const fail = (error?: unknown) => found && failures.remember(name, error)
    const end = loading.then(async (value) => {
      const entry = toEntry(value)
      if (entry === undefined) return fail()
      failures.forget(name)
      return store.write(name, ctx, entry)
    }, fail)
    loads.add(key, timeoutMs + storeTimeoutMs + GRACE_MS, loading, end)
    ctx.waitUntil(end)
    return { found, loading, previousError }
  }

  /** Only an app with actions lets entries expire early, so that others read one entry per request. */
  async function readExpiry(
    store: EntryStore,
    ctx: CacheScope,
    subject: readonly string[],
  ): Promise<number | undefined> {
    const name = await store.locate(store.createKey([ctx.app.name, 'expired', ...subject]))
    const found = await store.read(name, ctx, ({ json }) => json === '')
    return found?.storedAtMs
  }

  async function expire(ctx: CacheScope, subject: readonly string[]): Promise<void> {
    const partition = findPartition(ctx)
    const store = partition.store ?? (await openStore(partition, ctx))
    if (store === undefined) return
    const name = await store.locate(store.createKey([ctx.app.name, 'expired', ...subject]))
    await store.write(name, ctx, { storedAtMs: Date.now(), json: '', details: {} })
  }

  function findPartition(ctx: CacheScope): Partition<T> {
    const environment = findEnvironment(ctx.c.env)
    const known = partitions.get(environment)
    if (known !== undefined) return known
    const partition: Partition<T> = {
      environment,
      lookups: new PendingCalls(),
      loads: new PendingCalls(),
      failures: new FailureMemory(),
    }
    partitions.set(environment, partition)
    if ((environmentCount += 1) === SUSPICIOUS_ENVIRONMENTS) {
      ctx.warnOfCache(
        'new_env_per_request',
        new Error('Pass the same env object with each request.'),
      )
    }
    return partition
  }

  /** Returns the store of an environment, or logs a warning if there is none. */
  async function openStore(
    partition: Partition<T>,
    ctx: CacheScope,
  ): Promise<EntryStore | undefined> {
    try {
      partition.source ??= typeof source === 'function' ? source(ctx.env as never) : source
      const found = partition.source
      // A store is not awaited: every property of an RPC stub is a function, including `then`.
      const adapter = isStoreAdapter(found) ? found : await runWithin(storeTimeoutMs, () => found)
      if (!isStoreAdapter(adapter)) {
        throw new TypeError('The function in `store` did not return a store.')
      }
      const salt = sharing.saltFor(partition.environment, adapter)
      return (partition.store ??= createEntryStore(adapter, salt, options))
    } catch (error) {
      consumeRejections([partition.source, error])
      partition.source = undefined
      ctx.warnOfCache('cache_unusable', error)
      return undefined
    }
  }
}
