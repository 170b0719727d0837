import type { Redact } from './create-redactor.ts'

/** Deeper values are replaced as a whole. */
const MAX_DEPTH = 100

/** Replaces secrets in every string, number and key of a JSON value. A URL remains a valid URI. */
export function redactValue(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, redact)
  if (typeof value === 'number') {
    const shown = redact(String(value))
    return shown === String(value) ? value : shown
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[hidden]'
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact, depth + 1)]),
  )
}

function redactText(text: string, redact: Redact): string {
  const shown = redact(text)
  // RFC 3986 does not allow brackets in a path or a query.
  return /^[a-z][a-z\d+.-]*:\S*$/i.test(text) ? shown.replaceAll('[hidden]', 'hidden') : shown
}
