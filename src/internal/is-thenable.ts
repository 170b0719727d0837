/** Tells whether a value has to be waited for; one that cannot be read has not. */
export function isThenable<T>(value: T): value is T & PromiseLike<Awaited<T>> {
  if (value instanceof Promise) return true
  if (typeof value !== 'object' || value === null) return false
  try {
    return typeof (value as { then?: unknown }).then === 'function'
  } catch {
    return false
  }
}
