/**
 * Reads values of users. A proxy or a getter can throw at any access, and
 * `instanceof` fails across realms, copies of the package, and hosts that replace
 * globals.
 */

/** Returns whether a value is an array; false for a revoked proxy, such as a finished draft of Immer. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

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

/** Evaluates `instanceof` for any thrown value, including a proxy whose prototype cannot be read. */
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

/** Reads a property of any value; `undefined` if a getter or a proxy throws. */
export function readProperty(value: unknown, name: PropertyKey): unknown {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}

// These functions read internal slots, because `toString` and `instanceof` would run a proxy's
// traps. A failed read costs 3 µs, so test for the most likely type first.

/** Returns whether a value is a `Date`, of any realm. */
export function isDate(value: unknown): value is Date {
  return hasSlot(value, (object) => Date.prototype.getTime.call(object as Date))
}

/** Returns whether a value is a `URL`. */
export function isUrl(value: unknown): value is URL {
  return hasSlot(value, (object) => Reflect.get(URL.prototype, 'href', object))
}

/** Returns whether a value is a buffer, or a view of one. */
export function isBytes(value: unknown): boolean {
  return (
    ArrayBuffer.isView(value) ||
    hasSlot(value, (object) => Reflect.get(ArrayBuffer.prototype, 'byteLength', object))
  )
}

function hasSlot(value: unknown, read: (object: object) => unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  try {
    read(value)
    return true
  } catch {
    return false
  }
}
