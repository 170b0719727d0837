import type { CacheScope } from '../internal/cache-types.ts'
import { isTimeout, runWithin } from '../internal/user-code.ts'
import { hashKey } from './cache-key.ts'
import { type Entry, parseEntry, serializeEntry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { isMemoryStore } from './memory-store.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** A valid entry that has not expired. */
export interface FoundEntry extends Entry {
  readonly isFresh: boolean
}

/** The entries of one environment in a store. */
export type EntryStore = ReturnType<typeof createEntryStore>

/** The tolerated difference between the clocks of two machines. */
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * Creates the entries of one environment in a store. Errors of the store are
 * logged and never rejected.
 *
 * @param salt separates the keys of environments that share the store
 */
export function createEntryStore(
  adapter: StoreAdapter,
  salt: string,
  { ttlSeconds, staleSeconds, storeTimeoutMs }: ReadEntryOptions,
) {
  const isMemory = isMemoryStore(adapter)
  const lifeSeconds = ttlSeconds + staleSeconds

  return {
    /** Returns a key that no other environment has. */
    createKey: (parts: readonly string[]): string => salt + JSON.stringify(parts),

    /** Returns the name of an entry in the store. Only stores in this process see the key itself. */
    locate: async (key: string): Promise<string> => (isMemory ? key : hashKey(key)),

    async read(
      name: string,
      ctx: CacheScope,
      isValid: (entry: Entry) => boolean,
    ): Promise<FoundEntry | undefined> {
      const text = await access('store.get', ctx, () => adapter.get(name))
      if (text === undefined || text === null) return undefined
      const entry = parseEntry(text, isMemory ? undefined : name)
      const ageMs = entry === undefined ? NaN : Date.now() - entry.storedAtMs
      if (ageMs > lifeSeconds * 1_000) return undefined
      if (entry !== undefined && ageMs >= -MAX_CLOCK_SKEW_MS && (isMemory || isValid(entry))) {
        return { ...entry, isFresh: ageMs <= ttlSeconds * 1_000 }
      }
      ctx.warnOfCache('invalid_entry')
      return undefined
    },

    async write(name: string, ctx: CacheScope, entry: Entry): Promise<void> {
      await access('store.set', ctx, () =>
        adapter.set(name, serializeEntry(isMemory ? undefined : name, entry), lifeSeconds),
      )
    },
  }

  async function access<R>(
    span: 'store.get' | 'store.set',
    ctx: CacheScope,
    run: () => R,
  ): Promise<Awaited<R> | undefined> {
    try {
      // A memory store returns immediately and does not need a timer.
      return await ctx.span(span, {}, async () =>
        isMemory ? run() : runWithin(storeTimeoutMs, run),
      )
    } catch (error) {
      if (isTimeout(error)) ctx.warnOfCache('store_timeout')
      else ctx.warnOfCache('store_failed', error)
      return undefined
    }
  }
}
