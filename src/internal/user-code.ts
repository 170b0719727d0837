import { isThenable, readProperty } from './hostile-values.ts'

/**
 * The boundary around user code. Everything that users write runs through
 * {@link runUserCode}: it can throw anything, hang, return a promise where none
 * belongs, or reject long after its result has stopped to matter.
 */

/**
 * A time limit for one or several pieces of work. Its one timer starts with the
 * first wait, so work that is done immediately costs no timer.
 */
export class Deadline {
  /** The error of work that timed out; `undefined` before the time limit. */
  error: DOMException | undefined
  readonly #startedAtMs = Date.now()
  readonly #timeoutMs: number
  readonly #onExpiry: ((error: DOMException) => void) | undefined
  readonly #waiting = new Set<(error: DOMException) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeoutMs: number, onExpiry?: (error: DOMException) => void) {
    this.#timeoutMs = timeoutMs
    this.#onExpiry = onExpiry
  }

  /**
   * Waits for work until the time limit.
   *
   * @throws {DOMException} `TimeoutError`; a later result of the work is ignored
   */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Before any early exit: an unhandled rejection ends most hosts.
      void Promise.resolve(work).then(
        (value) => {
          if (this.error !== undefined) consumeRejections(value)
          this.#waiting.delete(reject)
          resolve(value)
        },
        (error: unknown) => {
          if (this.error !== undefined) consumeRejections(error)
          this.#waiting.delete(reject)
          reject(error)
        },
      )
      if (this.error !== undefined) return reject(this.error)
      this.#waiting.add(reject)
      const elapsedMs = Date.now() - this.#startedAtMs
      this.#timer ??= setTimeout(() => this.#expire(), Math.max(0, this.#timeoutMs - elapsedMs))
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
    this.#onExpiry?.(error)
  }
}

/**
 * Runs user code, and waits for its result until the deadline. Rejects with what
 * it threw, after handling the rejections of promises in it.
 *
 * @throws {DOMException} `TimeoutError` if the deadline passes first
 */
export async function runUserCode<T>(
  run: () => T | PromiseLike<T>,
  deadline: Deadline,
): Promise<Awaited<T>> {
  try {
    const result = run()
    return (isThenable(result) ? await deadline.race(result) : result) as Awaited<T>
  } catch (error) {
    consumeRejections(error)
    throw error
  }
}

/**
 * Runs user code with its own time limit. `run` receives a signal that
 * aborts when the time is over.
 *
 * @throws {DOMException} `TimeoutError`
 */
export async function runWithin<T>(
  timeoutMs: number,
  run: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<Awaited<T>> {
  const abort = new AbortController()
  const deadline = new Deadline(timeoutMs, (error) => abort.abort(error))
  try {
    return await runUserCode(() => run(abort.signal), deadline)
  } finally {
    deadline.clear()
  }
}

const MAX_VALUES = 10_000
const MAX_DEPTH = 32

/**
 * Handles the rejections of all promises in a value that is not used, because an
 * unhandled rejection ends most hosts. It visits the first 10,000 values, down to
 * 32 levels. It never throws.
 *
 * @returns whether there is a promise among them
 */
export function consumeRejections(root: unknown): boolean {
  let hasPromise = false
  // The array grows while it is visited, one level at a time, so that the topmost values are
  // visited first.
  const values: Array<readonly [value: unknown, depth: number]> = [[root, 0]]
  for (const [value, depth] of values) {
    if (isThenable(value)) {
      hasPromise = true
      // Promise.resolve() would throw what the getter `constructor` of a promise throws.
      void new Promise((resolve) => resolve(value)).then(ignore, ignore)
    } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
      pushValues(value, depth + 1, values)
    }
  }
  return hasPromise
}

function pushValues(
  object: object,
  depth: number,
  values: Array<readonly [value: unknown, depth: number]>,
): void {
  try {
    if (ArrayBuffer.isView(object)) return
    for (const value of containedValues(object)) {
      if (values.length >= MAX_VALUES) return
      values.push([value, depth])
    }
  } catch {
    // A proxy that throws contains no readable promise.
  }
}

function* containedValues(object: object): Generator {
  if (object instanceof Map || object instanceof Set) {
    for (const entry of object.entries()) yield* entry
  }
  if (object instanceof Error) {
    // An error's own fields are not enumerable.
    yield object.cause
    yield readProperty(object, 'errors')
  }
  // `for … in` can stop early. Object.values() would read two million keys.
  for (const key in object) yield readProperty(object, key)
}

function ignore(): void {
  // The value is not used.
}
