/**
 * Returns whether a value must be awaited. This includes functions, because a
 * property of a Workers RPC stub is a function with a `then` method.
 */
export function isThenable<T>(value: T): value is T & PromiseLike<Awaited<T>> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  try {
    return value instanceof Promise || typeof (value as { then?: unknown }).then === 'function'
  } catch {
    return false
  }
}
