import { isThenable } from './hostile-values.ts'

/**
 * Calls `use` with a value, or with the result of a promise. Without a promise,
 * it calls `use` synchronously: an `await` would turn the response into a
 * promise, which is more expensive for hosts.
 */
export function andThen<T, R>(
  value: T | PromiseLike<T>,
  use: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return isThenable(value) ? Promise.resolve<T>(value as PromiseLike<T>).then(use) : use(value as T)
}

/** Returns the result of `run`, or the result of `fail` if `run` throws or rejects. */
export function attempt<T>(run: () => T | Promise<T>, fail: (error: unknown) => T): T | Promise<T> {
  try {
    const result = run()
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}
