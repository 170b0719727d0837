import type { CacheScope } from '../internal/cache-types.ts'
import type { Lifetimes } from './assert-option.ts'
import { hashKey } from './cache-key.ts'
import { type Entry, ENTRY_FORMAT, parseEntry, serializeEntry } from './entry.ts'
import { type Environment, findEnvironment, StoreSharing } from './environment.ts'
import { FailureMemory } from './failure-memory.ts'
import { isMemoryStore } from './memory-store.ts'
import { PendingCalls } from './pending-calls.ts'
import { accessStore, StoreFinder, warn } from './store-access.ts'
import type { StoreAdapter, StoreAdapterSource } from './store-adapter.ts'
import { TIMED_OUT, withTimeout } from './with-timeout.ts'

/** A valid entry that has not expired. */
export interface FoundEntry extends Entry {
  readonly isFresh: boolean
}

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

/** The result of a lookup: an entry, a running load, or both if the entry is stale. */
export interface Lookup<T> {
  readonly found: FoundEntry | undefined
  readonly loading: Promise<T> | undefined
  /** Whether this lookup has started the load. */
  readonly hasStarted: boolean
  /** The error of the previous load of this key in this process, if it failed. */
  readonly previousError: Error | undefined
}

/** The state of a cache in one environment. */
interface Partition<T> {
  readonly stores: StoreFinder
  readonly lookups: PendingCalls<Lookup<T> | undefined>
  readonly loads: PendingCalls<T>
  readonly failures: FailureMemory
}

/** The location of an entry. */
interface Place {
  /** The name of the entry in the store. */
  readonly hash: string
  readonly store: StoreAdapter
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
  readonly #source: StoreAdapterSource<never>
  readonly #lifetimes: Lifetimes

  constructor(source: StoreAdapterSource<never>, lifetimes: Lifetimes) {
    this.#source = source
    this.#lifetimes = lifetimes
  }

  /**
   * Looks up a key, and starts a load if there is no fresh entry. Returns
   * `undefined` if the store is not available.
   */
  async lookUp(keyParts: readonly string[], loader: Loader<T>): Promise<Lookup<T> | undefined> {
    const partition = this.#findPartition(findEnvironment(loader.scope.env), loader.scope)
    const { lookups } = partition
    const key = JSON.stringify(keyParts)
    const maxMs = 2 * this.#lifetimes.storeTimeoutMs + GRACE_MS
    const running = lookups.get(key)
    const shared = running === undefined ? TIMED_OUT : await withTimeout(running, maxMs)
    if (shared !== TIMED_OUT) return shared && { ...shared, hasStarted: false }
    return lookups.start(key, maxMs, () => this.#lookUp(key, partition, loader)).result
  }

  async #lookUp(
    key: string,
    partition: Partition<T>,
    loader: Loader<T>,
  ): Promise<Lookup<T> | undefined> {
    const { loads, failures } = partition
    // A load may end while the store is being read. Its result counts, because the store may
    // return older content.
    const running = loads.get(key)
    const store = await partition.stores.find(loader.scope)
    if (store === undefined) return undefined
    const salt = this.#sharing.saltFor(findEnvironment(loader.scope.env), store)
    const hash = await hashKey([String(ENTRY_FORMAT), salt, key])
    const found = await this.#read({ hash, store }, loader)
    if (found?.isFresh) {
      failures.forget(hash)
      return { found, loading: undefined, hasStarted: false, previousError: undefined }
    }
    const previousError = failures.recall(hash)
    const shared = running ?? loads.get(key)
    const reason = found === undefined ? 'miss' : 'refresh'
    const loading = shared ?? this.#startLoad(key, { hash, store }, partition, loader, reason)
    return { found, loading, hasStarted: shared === undefined, previousError }
  }

  #findPartition(environment: Environment, scope: CacheScope): Partition<T> {
    let partition = this.#partitions.get(environment)
    if (partition === undefined) {
      partition = {
        stores: new StoreFinder(this.#source, this.#lifetimes.storeTimeoutMs),
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

  async #read({ hash, store }: Place, loader: Loader<T>): Promise<FoundEntry | undefined> {
    const { ttlMs, lifeMs, storeTimeoutMs } = this.#lifetimes
    const { scope } = loader
    const text = await accessStore('store.get', scope, storeTimeoutMs, () => store.get(hash))
    if (text === undefined || text === null) return undefined
    const entry = parseEntry(text, hash, lifeMs)
    if (entry === 'expired') return undefined
    if (entry === 'invalid' || !(isMemoryStore(store) || isValid(entry, loader))) {
      warn(scope, 'invalid_entry')
      return undefined
    }
    return { ...entry, isFresh: Date.now() - entry.storedAtMs <= ttlMs }
  }

  #startLoad(
    key: string,
    { hash, store }: Place,
    { loads, failures }: Partition<T>,
    { scope, timeoutMs, load, toEntry }: Loader<T>,
    reason: 'miss' | 'refresh',
  ): Promise<T> {
    const { lifeMs, storeTimeoutMs } = this.#lifetimes
    const { result, done } = loads.start(
      key,
      timeoutMs + storeTimeoutMs + GRACE_MS,
      async () => load(reason),
      async (value) => {
        failures.forget(hash)
        const entry = toEntry(value)
        if (entry === undefined) return
        await accessStore('store.set', scope, storeTimeoutMs, () =>
          store.set(hash, serializeEntry(hash, entry), lifeMs / 1_000),
        )
      },
      (error) => failures.remember(hash, error),
    )
    try {
      scope.waitUntil(done)
    } catch {
      // On Node, the process keeps running.
    }
    return result
  }
}

function isValid<T>(entry: Entry, loader: Loader<T>): boolean {
  try {
    return loader.isValid(entry)
  } catch {
    return false
  }
}
