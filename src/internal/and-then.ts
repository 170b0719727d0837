import { isThenable } from './is-thenable.ts'

/**
 * Calls `use` with a value, or with that of a promise. Without a promise it
 * does so at once: an `await` would make the response a promise, and hosts send
 * a response that they need not await at a lower cost.
 */
export function andThen<T, R>(
  value: T | PromiseLike<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return isThenable(value) ? Promise.resolve<T>(value as PromiseLike<T>).then(use) : use(value as T)
}

/** Returns the result of `run`, or that of `fail` if it throws or rejects. */
export function attempt<T>(run: () => T | Promise<T>, fail: (error: unknown) => T): T | Promise<T> {
  try {
    const result = run()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}
