import type { Redact } from '../../runtime/internal/create-redactor.ts'

/** The maximum depth. Deeper values are replaced as a whole. */
const MAX_DEPTH = 100

/**
 * Replaces secrets in every string, number and key of a JSON value. A URL remains
 * a valid URI. Other objects, such as thrown errors, are returned unchanged.
 */
export function redactValue<T>(value: T, redact: Redact): T {
  return redactNested(value, redact, 0) as T
}

function redactNested(value: unknown, redact: Redact, depth: number): unknown {
  if (typeof value === 'string') return redactText(value, redact)
  if (typeof value === 'number') {
    const shown = redact(String(value))
    return shown === String(value) ? value : shown
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[hidden]'
  if (Array.isArray(value)) return value.map((item) => redactNested(item, redact, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redact(key),
      redactNested(item, redact, depth + 1),
    ]),
  )
}

function redactText(text: string, redact: Redact): string {
  const shown = redact(text)
  if (shown === text) return text
  // A URL must stay valid, and RFC 3986 does not allow brackets in a path or a query.
  return /^[a-z][a-z\d+.-]*:\S*$/i.test(text) ? shown.replaceAll('[hidden]', 'hidden') : shown
}
