import type { CacheScope, EncodedContent } from '../internal/cache-types.ts'
import { isOwnContent } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { EntryStore, type FoundEntry } from './entry-store.ts'
import { createSalts, findEnvironment } from './environment.ts'
import { FailureMemory, isDesignedOutcome } from './failure-memory.ts'
import { ownUrl } from './own-url.ts'
import { type Call, PendingCalls } from './pending-calls.ts'

/** Content with the time at which its load started. */
export interface LoadedContent extends EncodedContent {
  readonly loadedAtMs: number
}

/** A request for the content of a key. */
interface LookupRequest {
  readonly ctx: CacheScope
  readonly key: string
  /** The maximum duration of `load()`, in milliseconds. */
  readonly timeoutMs: number
  readonly load: () => Promise<LoadedContent>
  /** Validates content from a store outside the process. */
  readonly encode: (content: unknown) => EncodedContent
}

/** The result of a lookup: an entry, a running load, or both if the entry is stale. */
export interface Lookup {
  readonly subject: string
  /** When the content expires, in milliseconds since 1970. */
  readonly expiresAtMs: number
  readonly found?: FoundEntry | undefined
  readonly loading?: Promise<LoadedContent> | undefined
  /** The error of the previous refresh of this key in this process, if it failed. */
  readonly previousError?: Error | undefined
}

/** The state of a cache in one environment. */
interface Partition {
  readonly store: EntryStore
  readonly loads: PendingCalls<LoadedContent>
  readonly failures: FailureMemory
}

/** How long other callers wait for a call after its timeout. */
const GRACE_MS = 1_000

/**
 * With more environments than this, the host probably creates new bindings for
 * each request, so that there is never a hit.
 */
const SUSPICIOUS_ENVIRONMENTS = 100

/** Creates the entries of a cache in its store, with one load at a time for each key. */
export function createEntryCache(options: ReadEntryOptions) {
  const partitions = new WeakMap<object, Partition>()
  const saltFor = createSalts()
  let environmentCount = 0

  return { lookUp, invalidate, findSubject }

  /**
   * Looks up the entry of a request, and starts a load if there is no fresh one.
   * After a failed refresh, a stale entry is not refreshed again until a pause is
   * over.
   */
  async function lookUp({ ctx, key, timeoutMs, encode, load }: LookupRequest): Promise<Lookup> {
    const { store, loads, failures } = findPartition(ctx)
    const place = await store.locate(ctx, await ownUrl(ctx), key)
    const { entry: name, subject } = place
    const maxMs = options.storeTimeoutMs + GRACE_MS
    const watch = loads.watch(name, maxMs)
    const { found, mark, isAbsent } = await store.read(place, ctx, (entry) =>
      isOwnContent(name, entry, encode, ctx.app),
    )
    const shared = loads.unwatch(watch, mark)
    const startedAtMs = Date.now()
    const expiresAtMs = (found?.startedAtMs ?? startedAtMs) + store.lifeSeconds * 1_000
    const base = { subject, expiresAtMs, found }
    if (found?.isFresh) {
      failures.forget(name)
      return base
    }
    const failure = found && failures.recall(name)
    const previousError = failure?.error
    if (shared !== undefined) return { ...base, loading: shared, previousError }
    if (failure?.isRecent) return { ...base, previousError }

    const loading = load()
    const abandonedAtMs = startedAtMs + timeoutMs + maxMs
    const call: Call<LoadedContent> = { result: loading, subject, mark, abandonedAtMs }
    loads.add(name, call)
    const end = loading
      .then(
        ({ json, componentCount }) => {
          failures.forget(name)
          // The entry was invalidated during the load, so this content is outdated.
          if (!loads.isCurrent(name, call)) return undefined
          return store.write(place, ctx, { json, componentCount, startedAtMs, mark })
        },
        (error: unknown) => {
          if (isDesignedOutcome(error)) {
            // There is nothing to invalidate. A mark for each unknown customer would evict entries.
            if (isAbsent && store.hasOneWriter && loads.isCurrent(name, call)) return undefined
            return invalidate(ctx, subject)
          }
          return found && failures.remember(name, error)
        },
      )
      .finally(() => loads.remove(name, call))
    ctx.waitUntil(end)
    return { ...base, loading, previousError }
  }

  /** Returns the subject of a key. */
  function findSubject(ctx: CacheScope, key: string): Promise<string> {
    return findPartition(ctx).store.findSubject(ctx, key)
  }

  /** Invalidates all entries of a subject, whatever their URL, and the results of running loads. */
  function invalidate(ctx: CacheScope, subject: string): Promise<void> {
    const { store, loads } = findPartition(ctx)
    loads.drop(subject)
    return store.invalidate(subject, ctx)
  }

  function findPartition(ctx: CacheScope): Partition {
    const environment = findEnvironment(ctx.c.env)
    const known = partitions.get(environment)
    if (known !== undefined) return known
    const partition: Partition = {
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
