/** Returns whether a value is an array; false for a revoked proxy, such as a finished draft of Immer. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}
