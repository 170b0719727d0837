/**
 * Evaluates `instanceof` for any thrown value, including a proxy whose prototype
 * cannot be read.
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
