import { consumeRejections } from '../internal/user-code.ts'
import { invalidOption } from '../internal/read-options.ts'
import { ENTRY_FORMAT } from './entry.ts'

/** One part of a key. `undefined` and `null` are equal. A number must be finite. */
export type CacheKeyPart = string | number | bigint | boolean | null | undefined

const MAX_PARTS = 100
const MAX_CHARACTERS = 65_536

/**
 * Serializes the parts that user code returned as JSON, so that a separator
 * inside a part cannot make two keys equal.
 *
 * @param caller the public name of the function, for messages
 * @throws {SidecardError} `invalid_options` if `parts` is not an array of valid parts
 */
export function serializeKeyParts(caller: string, parts: unknown): string {
  try {
    if (!Array.isArray(parts) || parts.length > MAX_PARTS) {
      throw invalidOption(caller, 'key', `an array of at most ${MAX_PARTS} parts`, parts)
    }
    const text = JSON.stringify(Array.from(parts, (part, index) => toJsonPart(caller, part, index)))
    if (text.length <= MAX_CHARACTERS) return text
    throw invalidOption(caller, 'key', `at most ${MAX_CHARACTERS} characters of JSON`)
  } catch (error) {
    consumeRejections(parts)
    throw error
  }
}

function toJsonPart(caller: string, part: unknown, index: number): unknown {
  // A bigint is wrapped in an array, so that it never equals a string or a number with the same
  // digits.
  if (typeof part === 'bigint') return [String(part)]
  const isPart = part === null || ['string', 'boolean', 'undefined'].includes(typeof part)
  if (isPart || Number.isFinite(part)) return part
  const expected = 'a string, a finite number, a bigint, a boolean or null'
  throw invalidOption(caller, `key[${index}]`, expected, part)
}

/**
 * Returns the name of an entry in a store outside the process, which is short
 * enough for KV and contains no personal data.
 */
export async function hashKey(key: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${ENTRY_FORMAT}${key}`)
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return `sidecard:${hex.join('')}`
}
