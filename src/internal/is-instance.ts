/**
 * `instanceof` for what somebody else has thrown: a proxy whose prototype
 * cannot be read is no instance of anything.
 */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...args: never[]) => T,
): value is T {
  try {
    return value instanceof type
  } catch {
    return false
  }
}
