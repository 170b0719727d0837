import { isArray, isThenable, readProperty } from './hostile-values.ts'

/**
 * The boundary around user code. All user code runs through {@link runUserCode}:
 * it can throw anything, hang, return an unexpected promise, or reject long after
 * its result is no longer needed.
 */

/** A time limit for work. */
export interface TimeLimit {
  /** Waits for work until the time limit, and then rejects. A later result is ignored. */
  race<T>(work: PromiseLike<T>): Promise<T>
}

/** Calls `run` exactly once, for example within a span of a tracer. */
export type Wrap = <R>(run: () => Promise<R>) => Promise<R>

/**
 * A time limit for one or several pieces of work. Its timer starts with the first
 * wait, so that work that ends immediately needs no timer.
 */
export class Deadline implements TimeLimit {
  /** The error of work that timed out; `undefined` before the time limit. */
  error: DOMException | undefined
  readonly #startedAtMs = Date.now()
  readonly #timeoutMs: number
  readonly #option: string
  readonly #waiting = new Set<(error: DOMException) => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #pauses = 0
  #pausedAtMs = 0
  #pausedMs = 0
  #controller: AbortController | undefined

  /** @param option the option that sets the time limit, for the message of the error */
  constructor(timeoutMs: number, option?: string) {
    this.#timeoutMs = timeoutMs
    this.#option = option === undefined ? '' : ` (${option})`
  }

  get remainingMs(): number {
    const nowMs = this.#pauses > 0 ? this.#pausedAtMs : Date.now()
    return Math.max(0, this.#timeoutMs - (nowMs - this.#startedAtMs - this.#pausedMs))
  }

  /** Aborts at the time limit, or earlier by `abort()`. */
  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal
  }

  abort(reason: unknown): void {
    this.#controller ??= new AbortController()
    this.#controller.abort(reason)
  }

  /** @throws {DOMException} `TimeoutError` */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle =
        <V>(end: (value: V) => void) =>
        (value: V) => {
          if (this.error !== undefined) consumeRejections(value)
          this.#waiting.delete(reject)
          end(value)
        }
      // The handlers are attached before any return, because an unhandled rejection ends most
      // hosts.
      void Promise.resolve(work).then(settle(resolve), settle(reject))
      if (this.error !== undefined) return reject(this.error)
      this.#waiting.add(reject)
      if (this.#pauses === 0) this.#start()
    })
  }

  /** Runs work that does not count toward the time limit. */
  async pause<T>(run: () => Promise<T>): Promise<T> {
    if ((this.#pauses += 1) === 1) {
      this.#pausedAtMs = Date.now()
      this.clear()
    }
    try {
      return await run()
    } finally {
      if ((this.#pauses -= 1) === 0) {
        this.#pausedMs += Date.now() - this.#pausedAtMs
        if (this.#waiting.size > 0 && this.error === undefined) this.#start()
      }
    }
  }

  /** Stops the timer. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(): void {
    this.#timer ??= setTimeout(() => this.#expire(), this.remainingMs)
  }

  #expire(): void {
    const message = `Timed out after ${this.#timeoutMs} ms${this.#option}.`
    const error = new DOMException(message, 'TimeoutError')
    this.error = error
    for (const reject of this.#waiting) reject(error)
    this.abort(error)
  }
}

/** Returns the time limit of a signal. When it aborts, waiting work rejects with its reason. */
export function untilAborted(signal: AbortSignal): TimeLimit {
  return {
    race: (work) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason as Error)
        const settled = Promise.resolve(work)
        settled.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      }),
  }
}

/**
 * Runs user code, waits for its result until the time limit, and passes it to
 * `use`. If either fails, it rejects with the thrown value, and handles the
 * promises in the result and in the error.
 *
 * @param use converts the result; throws if it is not usable
 * @param wrap runs the wait in a span, which ends at the time limit
 * @throws {DOMException} `TimeoutError` if the time limit passes first
 */
export async function runUserCode<T, R = Awaited<T>>(
  run: () => T | PromiseLike<T>,
  limit: TimeLimit,
  use?: (result: Awaited<T>) => R | PromiseLike<R>,
  wrap?: Wrap,
): Promise<R> {
  let result: unknown
  try {
    if (wrap === undefined) {
      result = run()
      if (isThenable(result)) result = await limit.race(result)
    } else {
      await wrap(async () => {
        result = run()
        if (isThenable(result)) result = await limit.race(result)
      })
    }
    return use === undefined ? (result as R) : await use(result as Awaited<T>)
  } catch (error) {
    consumeRejections(result)
    consumeRejections(error)
    throw error
  }
}

/**
 * Runs user code with its own time limit. `run` receives a signal that
 * aborts at the timeout.
 *
 * @throws {DOMException} `TimeoutError`
 */
export async function runWithin<T, R = Awaited<T>>(
  timeoutMs: number,
  run: (signal: AbortSignal) => T | PromiseLike<T>,
  use?: (result: Awaited<T>) => R | PromiseLike<R>,
): Promise<R> {
  const deadline = new Deadline(timeoutMs)
  try {
    return await runUserCode(() => run(deadline.signal), deadline, use)
  } finally {
    deadline.clear()
  }
}

/**
 * Calls optional user code, and passes its result to `use`. Returns `undefined` if
 * either throws, or if the result is a promise, which is not awaited.
 */
export function callUserCode<T, R = T>(run: () => T, use?: (result: T) => R): R | undefined {
  let result: unknown
  try {
    result = run()
    if (!isThenable(result)) return use === undefined ? (result as R) : use(result as T)
  } catch (error) {
    consumeRejections(error)
  }
  consumeRejections(result)
  return undefined
}

/** Returns whether an error is a timeout, on any runtime and by any signal. */
export function isTimeout(error: unknown): boolean {
  return readProperty(error, 'name') === 'TimeoutError'
}

const MAX_VALUES = 10_000
const MAX_DEPTH = 32

/**
 * Handles the rejections of all promises in an unused value, and in the values
 * that they resolve to, because an unhandled rejection ends most hosts. It visits
 * the first 10,000 values, down to 32 levels. It never throws.
 *
 * @returns whether there is a promise among the values
 */
export function consumeRejections(root: unknown, rootDepth = 0): boolean {
  let hasPromise = false
  // The array grows while it is visited, one level at a time, so that the topmost values are
  // visited first.
  const values: Array<readonly [value: unknown, depth: number]> = [[root, rootDepth]]
  for (const [value, depth] of values) {
    if (isThenable(value)) {
      hasPromise = true
      // Unlike Promise.resolve(), this does not read `constructor`, which may be a getter that
      // throws.
      const settled = new Promise((resolve) => resolve(value))
      void settled.then((inner) => depth < MAX_DEPTH && consumeRejections(inner, depth + 1), ignore)
    } else if (depth < MAX_DEPTH && values.length < MAX_VALUES) {
      for (const inner of containedValues(value)) {
        if (values.push([inner, depth + 1]) >= MAX_VALUES) break
      }
    }
  }
  return hasPromise
}

function* containedValues(object: unknown): Generator {
  try {
    if (typeof object !== 'object' || ArrayBuffer.isView(object)) return
    if (object instanceof Map || object instanceof Set) {
      for (const entry of object.entries()) yield* entry
    }
    if (object instanceof Error) {
      // The fields of an error itself are not enumerable.
      yield object.cause
      yield readProperty(object, 'errors')
    }
    // Unlike Object.values(), both loops can stop early if there are millions of keys.
    if (isArray(object)) {
      for (let index = 0; index < object.length; index += 1) yield readProperty(object, index)
    } else for (const key in object) yield readProperty(object, key)
  } catch {
    // A proxy that throws contains no readable promise.
  }
}

function ignore(): void {
  // Only a rejection had to be handled.
}
