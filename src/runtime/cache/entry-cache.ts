import type { CacheScope } from '../internal/cache-types.ts'
import { consumeRejections } from '../internal/user-code.ts'
import type { AbsentPart } from './cache-key.ts'
import type { Content, Entry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { EntryStore, type FoundEntry } from './entry-store.ts'
import { createSalts, findEnvironment } from './environment.ts'
import { FailureMemory, isDesignedOutcome } from './failure-memory.ts'
import { type Call, PendingCalls } from './pending-calls.ts'
import { ownUrl } from './own-url.ts'

/** The functions that find, validate, load and store the value of a request. */
export interface Loader<T> extends KeySource {
  /** Validates an entry from a store outside the process. */
  readonly isValid: (entry: Entry) => boolean
  /** The maximum duration of `load()`, in milliseconds. */
  readonly timeoutMs: number
  readonly load: (reason: 'miss' | 'refresh') => Promise<T>
  /** Converts a value to content, or returns `undefined` if the value must not be stored. */
  readonly toContent: (value: T) => Content | undefined
  /** Returns whether a value shows that the cached content is wrong. */
  readonly isDesigned?: (value: T) => boolean
}

/** The function that creates the key of a request. */
interface KeySource {
  readonly ctx: CacheScope
  /** Returns the key without the app and its URL, or `undefined` to bypass the cache. */
  readonly createKey: () => readonly string[] | AbsentPart | undefined
  /** Names the content in warnings about its key. */
  readonly about?: Readonly<Record<string, string>>
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
  /** The subject to pass to `invalidate()`. */
  readonly subject?: string
}

/** The state of a cache in one environment. */
interface Partition<T> {
  readonly store: EntryStore
  readonly loads: PendingCalls<T>
  readonly failures: FailureMemory
}

/** How long other callers wait for a call after its timeout. */
export const GRACE_MS = 1_000

/**
 * With more environments than this, the host probably creates new bindings for
 * each request, so that there is never a hit.
 */
const SUSPICIOUS_ENVIRONMENTS = 100

/**
 * Creates the common part of both caches: entries in a store, and one call at a
 * time for each key.
 */
export function createEntryCache<T>(options: ReadEntryOptions) {
  const partitions = new WeakMap<object, Partition<T>>()
  const saltFor = createSalts()
  let environmentCount = 0

  return { lookUp, invalidate, findSubject }

  /**
   * Looks up the entry of a request, and starts a load if there is no fresh one.
   * After a failed refresh, a stale entry is not refreshed again until a pause is
   * over.
   */
  async function lookUp(loader: Loader<T>): Promise<Lookup<T>> {
    const { ctx, timeoutMs, isValid, load, toContent, isDesigned } = loader
    const parts = readKey(loader)
    if (parts === undefined) return {}
    const { store, loads, failures } = findPartition(ctx)
    const place = await store.locate(ctx, await ownUrl(ctx), parts)
    const { entry: name, subject } = place
    const maxMs = options.storeTimeoutMs + GRACE_MS
    const watch = loads.watch(name, maxMs)
    const { found, mark } = await store.read(place, ctx, isValid)
    const shared = loads.unwatch(name, watch, mark)
    if (found?.isFresh) {
      failures.forget(name)
      return { found, subject }
    }
    const failure = found && failures.recall(name)
    const previousError = failure?.error
    if (shared !== undefined) return { found, loading: shared, previousError, subject }
    if (failure?.isRecent) return { found, previousError, subject }

    const startedAtMs = Date.now()
    const result = (async () => load(found === undefined ? 'miss' : 'refresh'))()
    const call: Call<T> = { result, subject, mark, abandonedAtMs: startedAtMs + timeoutMs + maxMs }
    loads.add(name, call)
    const fail = (error?: unknown) => {
      if (isDesignedOutcome(error)) return invalidate(ctx, subject)
      return found && failures.remember(name, error)
    }
    const end = result
      .then((value) => {
        if (isDesigned?.(value)) return invalidate(ctx, subject)
        const content = toContent(value)
        if (content === undefined) return fail()
        failures.forget(name)
        // The entry was invalidated during the load, so this content is outdated.
        if (!loads.isCurrent(name, call)) return undefined
        return store.write(place, ctx, { ...content, startedAtMs, mark })
      }, fail)
      .finally(() => loads.remove(name, call))
    ctx.waitUntil(end)
    return { found, loading: result, previousError, subject }
  }

  /** Returns the subject of a key. */
  async function findSubject(ctx: CacheScope, parts: readonly string[]): Promise<string> {
    return (await findPartition(ctx).store.locate(ctx, '', parts)).subject
  }

  /** Invalidates all entries of a subject, whatever their URL, and the results of running loads. */
  function invalidate(ctx: CacheScope, subject: string): Promise<void> {
    const { store, loads } = findPartition(ctx)
    loads.drop(subject)
    return store.invalidate(subject, ctx)
  }

  function findPartition(ctx: CacheScope): Partition<T> {
    const environment = findEnvironment(ctx.c.env)
    const known = partitions.get(environment)
    if (known !== undefined) return known
    const partition: Partition<T> = {
      store: new EntryStore(options, (adapter) => saltFor(environment, adapter)),
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
}

/** Returns a key; `undefined` if the content is not cached, with a warning unless this was intended. */
export function readKey({ ctx, createKey, about }: KeySource): readonly string[] | undefined {
  try {
    const key = createKey()
    if (key === undefined || !('absent' in key)) return key
    ctx.warnOfCache('absent_key_part', undefined, { ...about, part: key.absent })
  } catch (error) {
    consumeRejections(error)
    ctx.warnOfCache('invalid_cache_key', error, about)
  }
  return undefined
}
