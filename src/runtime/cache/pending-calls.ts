import { Deadline } from '../internal/user-code.ts'

/** A load that others can join. */
export interface Call<T> {
  readonly result: Promise<T>
  readonly subject: string
  /** The mark that the subject had before the load started. */
  readonly mark: string
  readonly abandonedAtMs: number
}

/** A lookup that is reading the store. */
interface Watch<T> {
  readonly key: string
  /** The latest load since the lookup began, even if it has ended. */
  call: Call<T> | undefined
  readonly abandonedAtMs: number
}

/**
 * The running loads by key, so that concurrent callers share one.
 *
 * On Workers, a call never ends if the runtime cancels the request that started
 * it, so callers do not join a call that has exceeded its maximum time.
 */
export class PendingCalls<T> {
  readonly #calls = new Map<string, Call<T>>()
  /** The oldest first. */
  readonly #watches = new Set<Watch<T>>()

  /**
   * Starts a lookup, which joins a load that is running or starts before
   * `unwatch()`. It joins it even if the load has ended, because the store may
   * return older content.
   */
  watch(key: string, maxMs: number): Watch<T> {
    const nowMs = Date.now()
    for (const oldest of this.#watches) {
      if (oldest.abandonedAtMs > nowMs) break
      this.#watches.delete(oldest)
    }
    const watch = { key, call: this.#calls.get(key), abandonedAtMs: nowMs + maxMs }
    this.#watches.add(watch)
    return watch
  }

  /** Ends a lookup, and returns the load that it can join. */
  unwatch(watch: Watch<T>, mark: string): Promise<T> | undefined {
    this.#watches.delete(watch)
    const { call } = watch
    const canJoin = call?.mark === mark && Date.now() < call.abandonedAtMs
    return canJoin ? call.result : undefined
  }

  /** Adds a call that others can join until it is removed. */
  add(key: string, call: Call<T>): void {
    this.#calls.set(key, call)
    for (const watch of this.#watches) if (watch.key === key) watch.call = call
  }

  /** Returns whether a call's result was not invalidated, and no later call has replaced it. */
  isCurrent(key: string, call: Call<T>): boolean {
    return this.#calls.get(key) === call
  }

  remove(key: string, call: Call<T>): void {
    if (this.isCurrent(key, call)) this.#calls.delete(key)
  }

  /** Removes the calls of a subject, whose results were invalidated. */
  drop(subject: string): void {
    for (const [key, call] of this.#calls) if (call.subject === subject) this.#calls.delete(key)
  }
}

/** Waits for a call that another caller started. Returns `undefined` if it takes longer. */
export async function waitFor<T>(call: Promise<T>, maxMs: number): Promise<T | undefined> {
  const deadline = new Deadline(maxMs)
  try {
    return await deadline.race(call)
  } catch (error) {
    // Without this check, `throw undefined` would look like a timeout.
    if (error !== undefined && error === deadline.error) return undefined
    throw error
  } finally {
    deadline.clear()
  }
}
