interface PendingCall<T> {
  readonly result: Promise<T>
  readonly abandonedAtMs: number
}

/**
 * The running calls by key, so that concurrent callers share one.
 *
 * On Workers, a call never ends if the runtime cancels the request that started
 * it. For this reason, callers do not join a call that has exceeded its maximum
 * time.
 */
export class PendingCalls<T> {
  readonly #calls = new Map<string, PendingCall<T>>()

  get(key: string): Promise<T> | undefined {
    const call = this.#calls.get(key)
    return call !== undefined && Date.now() < call.abandonedAtMs ? call.result : undefined
  }

  /** Starts a call that others can join until `succeed` has ended. `done` never rejects. */
  start(
    key: string,
    maxMs: number,
    run: () => Promise<T>,
    succeed?: (result: T) => Promise<void>,
    fail?: (error: unknown) => void,
  ): { readonly result: Promise<T>; readonly done: Promise<void> } {
    const result = run()
    const call = { result, abandonedAtMs: Date.now() + maxMs }
    this.#calls.set(key, call)
    const remove = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    return { result, done: result.then(succeed, fail).then(remove, remove) }
  }
}
