import type { CacheScope } from '../internal/cache-types.ts'
import { consumeRejections, Deadline, isTimeout } from '../internal/user-code.ts'
import { BoundedMap } from './bounded-map.ts'
import { isMemoryStore } from './memory-store.ts'
import { isStoreAdapter, type StoreAdapter } from './store-adapter.ts'

/** How long a store is left alone after a failure, in milliseconds. */
export const PAUSE_MS = 5_000

/** The limits of the entries in memory that serve during an outage. */
const MAX_ENTRIES = 1_000
const MAX_BYTES = 8 * 1024 * 1024

/** A time in which the store is not used. */
interface Outage {
  /** The mark of content that is loaded during this outage, and only valid during it. */
  readonly mark: string
  retriedAtMs: number
}

/** The values of a read, which are from memory during an outage. */
interface Values {
  readonly values: readonly unknown[]
  /** The mark of the outage, if there is one. */
  readonly outageMark?: string | undefined
}

/** The store of an environment, and the salt of its names. */
interface OpenedStore {
  readonly adapter: StoreAdapter
  readonly salt: string
}

/** The options of a guarded store. */
interface StoreOptions {
  readonly source: (env: unknown) => unknown
  readonly saltFor: (adapter: StoreAdapter) => string
  readonly timeoutMs: number
  /** Runs when the store responds again. */
  readonly onRecovery: (ctx: CacheScope) => unknown
}

/**
 * A store that delays a request by at most one timeout. After a failure, it is not
 * used for five seconds, and then tried in the background. Until it responds, a
 * small store in memory replaces it. Its methods never reject.
 */
export class GuardedStore {
  readonly #options: StoreOptions
  readonly #tier = new BoundedMap(MAX_ENTRIES, MAX_BYTES)
  /** The result of the source, which can be a promise that is still pending. */
  #found: unknown
  #opened: OpenedStore | undefined
  #outage: Outage | undefined

  constructor(options: StoreOptions) {
    this.#options = options
  }

  /** Whether all entries are from this process. */
  get isMemory(): boolean {
    return this.#opened !== undefined && isMemoryStore(this.#opened.adapter)
  }

  /** Opens the store, so that its kind is known. */
  async open(ctx: CacheScope): Promise<void> {
    if (this.#opened !== undefined || this.#isLeftAlone(ctx)) return
    try {
      await ctx.untimed(() => this.#run(ctx, () => undefined))
    } catch (error) {
      this.#fail(ctx, error)
    }
  }

  async read(ctx: CacheScope, names: readonly string[]): Promise<Values> {
    const opened = this.#opened
    if (opened !== undefined && isMemoryStore(opened.adapter)) {
      const read = async () => names.map((name) => opened.adapter.get(name + opened.salt))
      return { values: await ctx.span('store.get', {}, read) }
    }
    if (!this.#isLeftAlone(ctx)) {
      try {
        const read = () =>
          this.#run(ctx, (adapter, salt) =>
            Promise.all(names.map(async (name) => adapter.get(name + salt))),
          )
        return { values: await ctx.untimed(() => ctx.span('store.get', {}, read)) }
      } catch (error) {
        this.#fail(ctx, error)
      }
    }
    return { values: names.map((name) => this.#tier.get(name)), outageMark: this.#outage?.mark }
  }

  /** Writes a value, during an outage only to memory. Returns whether the store has the value. */
  async write(ctx: CacheScope, name: string, value: string, ttlSeconds: number): Promise<boolean> {
    if (!this.#isLeftAlone(ctx)) {
      try {
        await ctx.span('store.set', {}, () =>
          this.#run(ctx, async (adapter, salt) => {
            await adapter.set(name + salt, value, ttlSeconds)
          }),
        )
        return true
      } catch (error) {
        this.#fail(ctx, error)
      }
    }
    this.#tier.set(name, value)
    return false
  }

  /** Uses the store, within its timeout. A memory store returns immediately and needs no timer. */
  async #run<R>(
    { env }: CacheScope,
    use: (adapter: StoreAdapter, salt: string) => R | PromiseLike<R>,
  ): Promise<R> {
    const opened = this.#opened
    if (opened !== undefined && isMemoryStore(opened.adapter)) {
      return use(opened.adapter, opened.salt)
    }
    // Not runWithin(): the signal that it creates would be a tenth of the cost of a hit.
    const deadline = new Deadline(this.#options.timeoutMs)
    const run = async (): Promise<R> => {
      const { adapter, salt } = this.#opened ?? (await this.#openSource(env))
      return use(adapter, salt)
    }
    try {
      return await deadline.race(run())
    } finally {
      deadline.clear()
    }
  }

  async #openSource(env: unknown): Promise<OpenedStore> {
    try {
      const found = (this.#found ??= this.#options.source(env))
      // A store is not awaited, because an RPC stub returns a function for any property, even
      // `then`.
      const adapter = isStoreAdapter(found) ? found : await found
      if (!isStoreAdapter(adapter)) {
        throw new TypeError('The function in `store` did not return a store.')
      }
      return (this.#opened ??= { adapter, salt: this.#options.saltFor(adapter) })
    } catch (error) {
      consumeRejections([this.#found, error])
      this.#found = undefined
      throw error
    }
  }

  /** Whether the store must not be used now. After the pause, it is tried in the background. */
  #isLeftAlone(ctx: CacheScope): boolean {
    const outage = this.#outage
    if (outage === undefined) return false
    const elapsedMs = Date.now() - outage.retriedAtMs
    // If the clock was set back, the pause is over.
    if (elapsedMs >= PAUSE_MS || elapsedMs < 0) ctx.waitUntil(this.retry(ctx))
    return true
  }

  /** Ends an outage if the store responds. */
  async retry(ctx: CacheScope): Promise<void> {
    const outage = this.#outage
    if (outage === undefined) return
    outage.retriedAtMs = Date.now()
    try {
      await this.#run(ctx, (adapter, salt) => adapter.get(`sidecard:retry${salt}`))
      this.#outage = undefined
      await this.#options.onRecovery(ctx)
    } catch (error) {
      this.#warn(ctx, error)
    }
  }

  #fail(ctx: CacheScope, error: unknown): void {
    // Other waiting requests fail as well, and one warning is enough.
    if (this.#outage !== undefined) return
    this.#outage = { mark: crypto.randomUUID(), retriedAtMs: Date.now() }
    this.#warn(ctx, error)
  }

  #warn(ctx: CacheScope, error: unknown): void {
    if (this.#opened === undefined) ctx.warnOfCache('cache_unusable', error)
    else if (isTimeout(error)) ctx.warnOfCache('store_timeout')
    else ctx.warnOfCache('store_failed', error)
  }
}
