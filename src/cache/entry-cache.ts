import type { CacheScope } from '../internal/cache-types.ts'
import { consumeRejections, runWithin } from '../internal/user-code.ts'
import type { Entry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { EntryStore, type FoundEntry, warn } from './entry-store.ts'
import { type Environment, findEnvironment, StoreSharing } from './environment.ts'
import { FailureMemory } from './failure-memory.ts'
import { PendingCalls, waitFor } from './pending-calls.ts'
import { isStoreAdapter, type StoreAdapter } from './store-adapter.ts'

/** The functions that validate, load and store the value of a key. */
export interface Loader<T> {
  readonly scope: CacheScope
  /** The maximum duration of `load()`, in milliseconds. */
  readonly timeoutMs: number
  /** Validates an entry from a store outside the process. */
  readonly isValid: (entry: Entry) => boolean
  readonly load: (reason: 'miss' | 'refresh') => Promise<T>
  /** Converts a value to an entry, or returns `undefined` if the value must not be stored. */
  readonly toEntry: (value: T) => Entry | undefined
}

/**
 * The result of a lookup: an entry, a running load, both if the entry is stale,
 * or neither if the store is not available.
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
  /** What the function in `store` returned. */
  source: StoreAdapter | PromiseLike<StoreAdapter> | undefined
  store: EntryStore | undefined
  readonly lookups: PendingCalls<Lookup<T>>
  readonly loads: PendingCalls<T>
  readonly failures: FailureMemory
}

/** The location of an entry. */
interface Place {
  readonly name: string
  readonly store: EntryStore
}

/** Added to the timeout of a call before other callers stop waiting for it. */
export const GRACE_MS = 1_000

/**
 * More environments than this suggest that the host creates new bindings for each
 * request, so that there is never a hit.
 */
const SUSPICIOUS_ENVIRONMENTS = 100

/**
 * The implementation of both caches: entries in a store, and one call at a time
 * for each key. Errors of a store are logged and never rejected.
 */
export class EntryCache<T> {
  readonly #partitions = new WeakMap<Environment, Partition<T>>()
  readonly #sharing = new StoreSharing()
  #environmentCount = 0
  readonly #options: ReadEntryOptions

  constructor(options: ReadEntryOptions) {
    this.#options = options
  }

  /**
   * Looks up a key, and starts a load if there is no fresh entry. After a failed
   * refresh, a stale entry is not refreshed again until a pause is over.
   */
  async lookUp(keyParts: readonly string[], loader: Loader<T>): Promise<Lookup<T>> {
    const partition = this.#findPartition(loader.scope)
    const store = partition.store ?? (await this.#openStore(partition, loader.scope))
    if (store === undefined) return {}
    const { lookups } = partition
    const key = store.createKey(keyParts)
    const maxMs = this.#options.storeTimeoutMs + GRACE_MS
    const running = lookups.get(key)
    const shared = running && (await waitFor(running, maxMs))
    if (shared !== undefined) return shared
    const result = this.#lookUp(key, store, partition, loader)
    lookups.add(key, maxMs, result, result)
    return result
  }

  async #lookUp(
    key: string,
    store: EntryStore,
    partition: Partition<T>,
    loader: Loader<T>,
  ): Promise<Lookup<T>> {
    const { loads, failures } = partition
    // A load may end while the store is being read. Its result counts, because the store may
    // return older content.
    const running = loads.get(key)
    const name = await store.locate(key)
    const found = await store.read(name, loader.scope, loader.isValid)
    if (found?.isFresh) {
      failures.forget(name)
      return { found }
    }
    const failure = found && failures.recall(name)
    const shared = running ?? loads.get(key)
    const isPaused = shared === undefined && failure?.isRecent === true
    const loading = isPaused
      ? undefined
      : (shared ?? this.#startLoad(key, { name, store }, found, partition, loader))
    return { found, loading, previousError: failure?.error }
  }

  #findPartition(scope: CacheScope): Partition<T> {
    const environment = findEnvironment(scope.env)
    let partition = this.#partitions.get(environment)
    if (partition === undefined) {
      partition = {
        environment,
        source: undefined,
        store: undefined,
        lookups: new PendingCalls(),
        loads: new PendingCalls(),
        failures: new FailureMemory(),
      }
      this.#partitions.set(environment, partition)
      this.#environmentCount += 1
      if (this.#environmentCount === SUSPICIOUS_ENVIRONMENTS) {
        warn(scope, 'new_env_per_request', new Error('Pass the same env object with each request.'))
      }
    }
    return partition
  }

  /** Returns the store of an environment, or logs a warning if there is none. */
  async #openStore(partition: Partition<T>, scope: CacheScope): Promise<EntryStore | undefined> {
    const { store: source, storeTimeoutMs } = this.#options
    try {
      partition.source ??= typeof source === 'function' ? source(scope.bindings as never) : source
      const found = partition.source
      // A store is not awaited: every property of an RPC stub is a function, including `then`.
      const adapter = isStoreAdapter(found) ? found : await runWithin(storeTimeoutMs, () => found)
      if (!isStoreAdapter(adapter)) {
        throw new TypeError('The function in `store` did not return a store.')
      }
      const salt = this.#sharing.saltFor(partition.environment, adapter)
      return (partition.store ??= new EntryStore(adapter, salt, this.#options))
    } catch (error) {
      consumeRejections([partition.source, error])
      partition.source = undefined
      warn(scope, 'cache_unusable', error)
      return undefined
    }
  }

  /** Calls `load()`, and stores its entry or remembers its failure in the background. */
  #startLoad(
    key: string,
    { name, store }: Place,
    stale: Entry | undefined,
    { loads, failures }: Partition<T>,
    { scope, timeoutMs, load, toEntry }: Loader<T>,
  ): Promise<T> {
    const result = (async () => load(stale === undefined ? 'miss' : 'refresh'))()
    const end = finish()
    loads.add(key, timeoutMs + this.#options.storeTimeoutMs + GRACE_MS, result, end)
    try {
      scope.waitUntil(end)
    } catch {
      // On Node, the process keeps running.
    }
    return result

    async function finish(): Promise<void> {
      let entry: Entry | undefined
      let error: unknown
      try {
        entry = toEntry(await result)
      } catch (thrown) {
        error = thrown
      }
      if (entry !== undefined) {
        failures.forget(name)
        await store.write(name, scope, entry)
      } else if (stale !== undefined) failures.remember(name, error)
    }
  }
}
