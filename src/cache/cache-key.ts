import { isThenable } from '../internal/hostile-values.ts'

/** One part of a key. `undefined` and `null` are equal. A number must be finite. */
export type CacheKeyPart = string | number | bigint | boolean | null | undefined

const MAX_PARTS = 100
const MAX_CHARACTERS = 65_536

/**
 * Serializes the parts that user code returned as JSON, so that a separator
 * inside a part cannot make two keys equal.
 *
 * @throws {TypeError} if `parts` is not an array of valid parts
 */
export function serializeKeyParts(parts: unknown): string {
  if (!Array.isArray(parts)) {
    consumeRejection(parts)
    throw new TypeError(
      `The key must be an array, not ${isThenable(parts) ? 'a promise' : typeName(parts)}.`,
    )
  }
  if (parts.length > MAX_PARTS) throw new TypeError(`The key exceeds ${MAX_PARTS} parts.`)
  const values: unknown[] = Array.from(parts)
  values.forEach(consumeRejection)
  const text = JSON.stringify(values.map(toJsonPart))
  if (text.length > MAX_CHARACTERS)
    throw new TypeError(`The key exceeds ${MAX_CHARACTERS} characters.`)
  return text
}

function toJsonPart(part: unknown, index: number): unknown {
  switch (typeof part) {
    case 'string':
    case 'boolean':
      return part
    case 'undefined':
      return null
    case 'bigint':
      // A bigint is nested in an array, so that it never equals a string or a number with the same
      // digits.
      return [String(part)]
    case 'number':
      if (Number.isFinite(part)) return part
      break
    default:
      if (part === null) return null
  }
  throw new TypeError(
    `Part ${index} of the key must be a string, a finite number, a boolean or null, not ${isThenable(part) ? 'a promise' : typeName(part)}.`,
  )
}

function typeName(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The mistake is reported, so an unhandled rejection must not end the process as well. */
function consumeRejection(value: unknown): void {
  if (isThenable(value)) Promise.resolve(value).catch(() => undefined)
}

/**
 * Returns the name of an entry in its store, which is short enough for KV and
 * contains no personal data.
 */
export async function hashKey(parts: readonly string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(parts))
  const digest = await crypto.subtle.digest('SHA-256', text)
  return `sidecard:${Array.from(new Uint8Array(digest), toHex).join('')}`
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
