import { Deadline } from '../internal/user-code.ts'

/**
 * The running calls by key, so that concurrent callers share one.
 *
 * On Workers, a call never ends if the runtime cancels the request that started
 * it. For this reason, callers do not join a call that has exceeded its maximum
 * time.
 */
export class PendingCalls<T> {
  readonly #calls = new Map<string, { result: Promise<T>; abandonedAtMs: number }>()

  get(key: string): Promise<T> | undefined {
    const call = this.#calls.get(key)
    return call !== undefined && Date.now() < call.abandonedAtMs ? call.result : undefined
  }

  /** Adds a call that others can join until `end` has settled. */
  add(key: string, maxMs: number, result: Promise<T>, end: Promise<unknown>): void {
    const call = { result, abandonedAtMs: Date.now() + maxMs }
    this.#calls.set(key, call)
    const remove = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    void end.then(remove, remove)
  }
}

/** Waits for a call that another caller started. Returns `undefined` if it takes longer. */
export async function waitFor<T>(call: Promise<T>, maxMs: number): Promise<T | undefined> {
  const deadline = new Deadline(maxMs)
  try {
    return await deadline.race(call)
  } catch (error) {
    // `throw undefined` is not a timeout.
    if (error !== undefined && error === deadline.error) return undefined
    throw error
  } finally {
    deadline.clear()
  }
}
