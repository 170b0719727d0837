import type { CacheScope } from '../internal/cache-types.ts'
import { isStoreAdapter, type StoreAdapter, type StoreAdapterSource } from './store-adapter.ts'
import { TIMED_OUT, withTimeout } from './with-timeout.ts'

/** Logs a problem of the cache. Errors of the logger are ignored. */
export function warn(scope: CacheScope, problem: string, error?: unknown): void {
  try {
    scope.warn(problem, error)
  } catch {
    // Without a log, there is no other place to report it.
  }
}

/**
 * Finds the store of a cache, once per environment. Logs a warning and returns
 * `undefined` if there is none.
 */
export class StoreFinder {
  readonly #source: StoreAdapterSource<never>
  readonly #timeoutMs: number
  #found: StoreAdapter | PromiseLike<StoreAdapter> | undefined

  constructor(source: StoreAdapterSource<never>, timeoutMs: number) {
    this.#source = source
    this.#timeoutMs = timeoutMs
  }

  async find(scope: CacheScope): Promise<StoreAdapter | undefined> {
    const source = this.#source
    if (typeof source !== 'function') return source
    try {
      const finding = (this.#found ??= source(scope.bindings as never))
      const store = isStoreAdapter(finding) ? finding : await withTimeout(finding, this.#timeoutMs)
      if (isStoreAdapter(store)) return (this.#found = store)
      const problem = store === TIMED_OUT ? 'did not return in time' : 'did not return a store'
      warn(scope, 'cache_unusable', new TypeError(`The function in \`store\` ${problem}.`))
    } catch (error) {
      warn(scope, 'cache_unusable', error)
    }
    this.#found = undefined
    return undefined
  }
}

/**
 * Reads from or writes to a store. Logs a warning and returns `undefined` if that
 * fails or times out.
 */
export async function accessStore<R>(
  name: 'store.get' | 'store.set',
  scope: CacheScope,
  timeoutMs: number,
  run: () => R,
): Promise<Awaited<R> | undefined> {
  try {
    const result = await scope.span(name, async () => {
      const running = run()
      // A memory store returns immediately and does not need a timer.
      return isPrimitive(running) ? running : withTimeout(running, timeoutMs)
    })
    if (result !== TIMED_OUT) return result
    warn(scope, 'store_timeout')
  } catch (error) {
    warn(scope, 'store_failed', error)
  }
  return undefined
}

function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function')
}
