import type { CacheScope, SectionPlace } from '../internal/cache-types.ts'
import { invalidOption } from '../internal/read-options.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { BoundedMap } from './bounded-map.ts'

/** The path of a part that is absent. Content with such a key is not cached. */
export interface AbsentPart {
  readonly absent: string
}

const MAX_PARTS = 100
const MAX_CHARACTERS = 65_536

/**
 * Serializes everything that the content of a section depends on, except the URL of
 * the app. It is JSON, so that a separator inside a part cannot make two keys equal.
 *
 * @returns the path of the first absent part instead, if there is one, and
 * `undefined` if nothing says whose content it is
 * @throws {SidecardError} `invalid_options` if `key` is not an array of valid parts
 */
export function serializeKey(
  { app, params }: CacheScope,
  cache: string,
  { title, customers, key = [], shared }: SectionPlace,
): string | AbsentPart | undefined {
  try {
    if (!Array.isArray(key) || key.length > MAX_PARTS) {
      throw invalidOption('section', 'key', `an array of at most ${MAX_PARTS} parts`, key)
    }
    const parts = Array.from(key, toJsonPart)
    const organization = params['organization_id'] ?? ''
    if (isAbsentPart(organization)) return { absent: 'organization_id' }
    const absentIndex = parts.findIndex(isAbsentPart)
    if (absentIndex !== -1) return { absent: `key[${absentIndex}]` }
    const owners = shared ? [] : customers.map(([kind, id]) => [kind, toCustomerPart(id)])
    if (owners.some(([, id]) => isAbsentPart(id))) return { absent: 'id' }
    if (parts.length + owners.length === 0 && !shared) return undefined
    const json = JSON.stringify(parts)
    if (json.length > MAX_CHARACTERS) {
      throw invalidOption('section', 'key', `at most ${MAX_CHARACTERS} characters of JSON`)
    }
    return `${JSON.stringify([app.name, cache, title, organization, owners]).slice(0, -1)},${json}]`
  } catch (error) {
    consumeRejections(key)
    throw error
  }
}

/** An ID is a string, a number or a bigint. Anything else counts as absent. */
function toCustomerPart(id: unknown): unknown {
  if (typeof id === 'bigint') return [String(id)]
  return typeof id === 'string' || Number.isFinite(id) ? id : undefined
}

function toJsonPart(part: unknown, index: number): unknown {
  // A bigint is wrapped in an array, so that it never equals a string or a number with the same
  // digits.
  if (typeof part === 'bigint') return [String(part)]
  const isPart = ['string', 'boolean'].includes(typeof part) || Number.isFinite(part)
  if (isPart || isAbsentPart(part)) return part
  const expected = 'a string, a finite number, a bigint or a boolean'
  throw invalidOption('section', `key[${index}]`, expected, part)
}

/** Matches text that was built from an absent value. */
const ABSENT_WORD = /(?<![\p{L}\p{Nd}])(?:undefined|null|NaN|\[object Object\])(?![\p{L}\p{Nd}])/u

/** Returns whether a part of a key is absent, so that it does not identify any content. */
export function isAbsentPart(part: unknown): boolean {
  if (typeof part === 'string') return part.trim() === '' || ABSENT_WORD.test(part)
  return part === undefined || part === null || Number.isNaN(part)
}

/** The hashes that were computed before. Hashing is most of the cost of a hit. */
const hashes = new BoundedMap(10_000, 4 * 1024 * 1024)

/** Returns the SHA-256 of a text, in hexadecimal. */
export async function hash(text: string): Promise<string> {
  const known = hashes.peek(text)
  if (known !== undefined) return known
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  const created = hex.join('')
  hashes.set(text, created)
  return created
}
