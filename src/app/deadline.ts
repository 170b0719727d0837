/**
 * A moment after which nobody waits any more. Its one timer starts with the
 * first wait, so work that is done at once costs no timer.
 */
export class Deadline {
  /** The reason with which work was given up; `undefined` while there is time. */
  reason: DOMException | undefined
  readonly #timeoutMs: number
  readonly #onExpiry: (reason: DOMException) => void
  #waiting: Set<(reason: DOMException) => void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, onExpiry: (reason: DOMException) => void) {
    this.#timeoutMs = timeoutMs
    this.#onExpiry = onExpiry
  }

  /**
   * Waits for work, but not past the deadline: then it rejects with `reason`,
   * and whatever becomes of the work later goes unheard.
   */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Before any early exit: a rejection that nobody listens to ends a Node process.
      void Promise.resolve(work)
        .then(resolve, reject)
        .finally(() => this.#waiting?.delete(reject))
      if (this.reason !== undefined) return reject(this.reason)
      this.#waiting ??= new Set()
      this.#waiting.add(reject)
      this.#timer ??= setTimeout(() => this.#expire(), this.#timeoutMs)
    })
  }

  /** Stops the clock. */
  clear(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
  }

  #expire(): void {
    const reason = new DOMException(
      `The deadline of ${this.#timeoutMs} ms has passed.`,
      'TimeoutError',
    )
    this.reason = reason
    for (const giveUp of this.#waiting ?? []) giveUp(reason)
    this.#onExpiry(reason)
  }
}
