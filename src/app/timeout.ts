import { consumeRejections } from '../internal/consume-rejections.ts'

/**
 * A time limit for several pieces of work. Its one timer starts with the first
 * wait, so work that is done at once costs no timer.
 */
export class Timeout {
  /** The error of work that timed out; `undefined` before the timeout. */
  error: DOMException | undefined
  readonly #timeoutMs: number
  readonly #onExpiry: (error: DOMException) => void
  readonly #waiting = new Set<(error: DOMException) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, onExpiry: (error: DOMException) => void) {
    this.#timeoutMs = timeoutMs
    this.#onExpiry = onExpiry
  }

  /**
   * Waits for work until the timeout.
   *
   * @throws {DOMException} `TimeoutError`; a later result of the work is ignored
   */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Before any early exit: an unhandled rejection ends a Node process.
      void Promise.resolve(work).then(
        (value) => {
          if (this.error !== undefined) consumeRejections(value)
          this.#waiting.delete(reject)
          resolve(value)
        },
        (error: unknown) => {
          this.#waiting.delete(reject)
          reject(error)
        },
      )
      if (this.error !== undefined) return reject(this.error)
      this.#waiting.add(reject)
      this.#timer ??= setTimeout(() => this.#expire(), this.#timeoutMs)
    })
  }

  /** Stops the timer. */
  clear(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
  }

  #expire(): void {
    const error = new DOMException(`Timed out after ${this.#timeoutMs} ms.`, 'TimeoutError')
    this.error = error
    for (const reject of this.#waiting) reject(error)
    this.#onExpiry(error)
  }
}
