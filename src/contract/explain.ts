import { closest } from '../internal/closest.ts'
import type { UriFault } from './uri.ts'

/**
 * The words of payload issues: what is wrong and the fix, in one line.
 *
 * A message never repeats a value, which may be a customer's, but for the names
 * of a closed list (`type`, `color`, …) and of fields, shortened and made safe.
 */

const MAX_EXCERPT = 40

/** A name in quotes: at most 40 characters, all of them printable ASCII. */
export function excerpt(name: string): string {
  const short = name.length > MAX_EXCERPT ? `${name.slice(0, MAX_EXCERPT)}…` : name
  const safe = JSON.stringify(short).replaceAll(
    /[^ -~…]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return safe
}

/** The kind of a value in words, decided without running any of its code. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return isArray(value) ? 'an array' : objectKind(value)
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : 'a number'
  if (typeof value === 'undefined') return 'undefined'
  return `a ${typeof value}`
}

/** `Array.isArray` throws on a revoked proxy. */
function isArray(value: object): boolean {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

function objectKind(value: object): string {
  try {
    // Reads the internal slot: `instanceof` would run a proxy's traps.
    Date.prototype.getTime.call(value)
    return 'a Date'
  } catch {
    return 'an object'
  }
}

/** What a string field wants, in words. */
export interface Wanted {
  readonly what: string
  /** What to do instead of giving `null`. */
  readonly notNull: string
}

/** For a value that should be a string and is of another kind. */
export function notAString(value: unknown, wanted: Wanted): string {
  const kind = kindOf(value)
  const problem = `must be ${wanted.what}, got ${kind}`
  if (value === null) return `${problem}: ${wanted.notNull}`
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return `${problem}: write String(value)`
  }
  return kind === 'a Date' ? `${problem}: write value.toISOString()` : problem
}

/** For a name that is not one of a closed list. */
export function notOneOf(what: string, name: string, names: readonly string[]): string {
  const near = closest(name, names)
  const fix = near === undefined ? `use ${orList(names)}` : `did you mean ${excerpt(near)}?`
  return `${excerpt(name)} is not ${what}: ${fix}`
}

/** For a field that the contract's table does not have. */
export function unknownField(owner: string, name: string, fields: readonly string[]): string {
  const near = closest(name, fields)
  const fix =
    near !== undefined
      ? `did you mean ${excerpt(near)}?`
      : fields.length === 1
        ? 'remove it'
        : `remove it (the fields are ${fields.join(', ')})`
  return `${owner} has no field ${excerpt(name)}: ${fix}`
}

/** For a string that is no RFC 3339 date-time. */
export function notADateTime(value: string): string {
  const example = 'such as 2026-11-21T09:30:00Z'
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) {
    return `must be an RFC 3339 date-time, got a date alone: add the time and the offset, ${example}`
  }
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]{5,20}$/.test(value)) {
    return 'must be an RFC 3339 date-time, got one without an offset: end it with Z or +hh:mm'
  }
  return `must be an RFC 3339 date-time with an offset, ${example}`
}

/** For a string that is no URI, or not one that is allowed. */
export function notALink(value: string, fault: UriFault, schemes: readonly string[]): string {
  if (fault === 'scheme') return `must be a URI with the scheme ${orList(schemes)}`
  if (fault === 'host') return 'must be a URI with a host, such as https://example.com/'
  if (value === '') return 'must be a URI, got an empty string: leave the field out or give one'
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)) {
    return 'must be an absolute URI, got none with a scheme: start it with https://'
  }
  if (/[^!-~]/.test(value)) {
    return 'must be a URI (RFC 3986), got spaces or non-ASCII characters: encode them, as encodeURI() does'
  }
  return 'must be a URI (RFC 3986): percent-encode the characters that may not stand there'
}

/** `a`, `a or b`, `a, b or c`. */
export function orList(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
