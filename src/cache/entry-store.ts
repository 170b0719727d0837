import type { CacheScope } from '../internal/cache-types.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { runWithin } from '../internal/user-code.ts'
import { hashKey } from './cache-key.ts'
import { type Entry, parseEntry, serializeEntry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { isMemoryStore } from './memory-store.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** A valid entry that has not expired. */
export interface FoundEntry extends Entry {
  readonly isFresh: boolean
}

/** The tolerated difference between the clocks of two machines. */
const MAX_CLOCK_SKEW_MS = 5_000

/** Logs a problem of the cache. Errors of the logger are ignored. */
export function warn(scope: CacheScope, problem: string, error?: unknown): void {
  try {
    scope.warn(problem, error)
  } catch {
    // Without a log, there is no other place to report it.
  }
}

/**
 * The entries of one environment in a store. Errors of the store are logged and
 * never rejected.
 */
export class EntryStore {
  readonly #adapter: StoreAdapter
  readonly #salt: string
  readonly #options: ReadEntryOptions
  readonly #isMemory: boolean

  /** @param salt separates the keys of environments that share the store */
  constructor(adapter: StoreAdapter, salt: string, options: ReadEntryOptions) {
    this.#adapter = adapter
    this.#salt = salt
    this.#options = options
    this.#isMemory = isMemoryStore(adapter)
  }

  /** Returns a key that no other environment has. */
  createKey(parts: readonly string[]): string {
    return this.#salt + JSON.stringify(parts)
  }

  /** Returns the name of an entry in the store. Only stores in this process see the key itself. */
  async locate(key: string): Promise<string> {
    return this.#isMemory ? key : hashKey(key)
  }

  async read(
    name: string,
    scope: CacheScope,
    isValid: (entry: Entry) => boolean,
  ): Promise<FoundEntry | undefined> {
    const { ttlSeconds, staleSeconds } = this.#options
    const text = await this.#access('store.get', scope, () => this.#adapter.get(name))
    if (text === undefined || text === null) return undefined
    const entry = parseEntry(text, this.#isMemory ? undefined : name)
    if (entry !== undefined) {
      const ageMs = Date.now() - entry.storedAtMs
      if (ageMs > (ttlSeconds + staleSeconds) * 1_000) return undefined
      const isFresh = ageMs <= ttlSeconds * 1_000
      const isPast = ageMs >= -MAX_CLOCK_SKEW_MS
      if (isPast && (this.#isMemory || isAccepted(entry, isValid))) return { ...entry, isFresh }
    }
    warn(scope, 'invalid_entry')
    return undefined
  }

  async write(name: string, scope: CacheScope, entry: Entry): Promise<void> {
    const { ttlSeconds, staleSeconds } = this.#options
    await this.#access('store.set', scope, () => {
      const text = serializeEntry(this.#isMemory ? undefined : name, entry)
      return this.#adapter.set(name, text, ttlSeconds + staleSeconds)
    })
  }

  async #access<R>(
    span: 'store.get' | 'store.set',
    scope: CacheScope,
    run: () => R,
  ): Promise<Awaited<R> | undefined> {
    try {
      return await scope.span(span, async () =>
        this.#isMemory ? await run() : runWithin(this.#options.storeTimeoutMs, run),
      )
    } catch (error) {
      const isTimeout = isInstance(error, DOMException) && error.name === 'TimeoutError'
      if (isTimeout) warn(scope, 'store_timeout')
      else warn(scope, 'store_failed', error)
      return undefined
    }
  }
}

function isAccepted(entry: Entry, isValid: (entry: Entry) => boolean): boolean {
  try {
    return isValid(entry)
  } catch {
    return false
  }
}
