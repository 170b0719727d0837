import { consumeRejections } from '../internal/user-code.ts'
import { invalidOption } from '../internal/read-options.ts'
import { ENTRY_FORMAT } from './entry.ts'

/**
 * One part of a key. A number must be finite. Content is not cached if a part is
 * absent: `undefined`, `null`, NaN, a blank string, or text that contains
 * `undefined`, `null`, `NaN` or `[object Object]` as a word, such as `acc_null`.
 */
export type CacheKeyPart = string | number | bigint | boolean | null | undefined

/** The path of an absent part. Content with such a key is not cached. */
export interface AbsentPart {
  readonly absent: string
}

const MAX_PARTS = 100
const MAX_CHARACTERS = 65_536

/**
 * Serializes the parts that user code returned as JSON, so that a separator
 * inside a part cannot make two keys equal. Returns the path of the first absent
 * part instead, if there is one.
 *
 * @param caller the public name of the function, for messages
 * @throws {SidecardError} `invalid_options` if `parts` is not an array of valid parts
 */
export function serializeKeyParts(caller: string, parts: unknown): string | AbsentPart {
  try {
    if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS) {
      throw invalidOption(caller, 'key', `an array of 1 to ${MAX_PARTS} parts`, parts)
    }
    const values = Array.from(parts, (part, index) => toJsonPart(caller, part, index))
    const absentIndex = values.findIndex(isAbsentPart)
    if (absentIndex !== -1) return { absent: `key[${absentIndex}]` }
    const text = JSON.stringify(values)
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
  const isPart = ['string', 'boolean'].includes(typeof part) || Number.isFinite(part)
  if (isPart || isAbsentPart(part)) return part
  const expected = 'a string, a finite number, a bigint or a boolean'
  throw invalidOption(caller, `key[${index}]`, expected, part)
}

/** Matches text that was built from an absent value. */
const ABSENT_WORD = /(?<![\p{L}\p{Nd}])(?:undefined|null|NaN|\[object Object\])(?![\p{L}\p{Nd}])/u

/** Returns whether a part of a key is absent, so that it does not identify any content. */
export function isAbsentPart(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() === '' || ABSENT_WORD.test(part)
  return part === undefined || part === null || Number.isNaN(part)
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
