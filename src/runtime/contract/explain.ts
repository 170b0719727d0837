import { closestMatch } from '../internal/closest-match.ts'
import { isArray, isBytes, isDate, isUrl } from '../internal/hostile-values.ts'

/**
 * Parts of the texts of validation issues. A text never contains a value, which
 * may be customer data, except for values of closed lists (`type`, `color`) and
 * names of fields, truncated and escaped.
 */

const MAX_NAME_LENGTH = 40

/** Returns a name in quotes: at most 40 characters, all of them printable ASCII. */
export function quoteName(name: string): string {
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
  return JSON.stringify(short).replaceAll(
    /[^ -~…]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the path of a field: its name, or its quoted name in brackets. */
export function fieldPath(name: string): string {
  return /^[A-Za-z_$][\w$]{0,39}$/.test(name) ? name : `[${quoteName(name)}]`
}

/** Returns the type of a value in words, without running any of its code. */
export function describeType(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'object') {
    if (isDate(value)) return 'a Date'
    if (isUrl(value)) return 'a URL'
    if (isBytes(value)) return 'bytes'
    return isArray(value) ? 'an array' : 'an object'
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`
}

/** Returns the fix for a name that is not in a closed list. */
export function suggestName(name: string, names: readonly string[]): string {
  const suggestion = closestMatch(name, names)
  return suggestion === undefined ? `Use ${listNames(names)}.` : `Use "${suggestion}".`
}

/** Returns why a string is not an RFC 3339 date-time, and the fix. */
export function explainDateTime(value: string): readonly [message: string, fix: string] {
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)) {
    return [
      'must be an RFC 3339 date-time, got only a date',
      'Add the time and the offset, such as 2026-11-21T09:30:00Z.',
    ]
  }
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]{5,20}$/.test(value)) {
    return ['must be an RFC 3339 date-time, got one without an offset', 'Append Z or +hh:mm.']
  }
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{5,20}$/.test(value)) {
    return [
      'must be an RFC 3339 date-time, got one without an offset',
      "Write value.replace(' ', 'T') + 'Z' if it is in UTC, as CURRENT_TIMESTAMP of SQLite and D1 is.",
    ]
  }
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{5,20}(?:Z|[+-][0-9:]{2,6})$/.test(value)) {
    return ['must be an RFC 3339 date-time', 'Write new Date(value).toISOString().']
  }
  if (/^[0-9]{9,13}$/.test(value)) {
    return ['must be an RFC 3339 date-time, got a number', explainTimestamp(value)]
  }
  const fix = explainInfinity(value) ?? 'Write a date-time such as 2026-11-21T09:30:00Z.'
  return ['must be an RFC 3339 date-time', fix]
}

const INFINITY_FIX =
  'Leave it out, or show a text: PostgreSQL returns infinity for a date without an end.'

/** Returns the fix for PostgreSQL's infinity, in the forms of its drivers; `undefined` for other values. */
export function explainInfinity(value: unknown): string | undefined {
  const isInfinity =
    typeof value === 'string'
      ? /^-?infinity$/i.test(value)
      : value === Infinity || value === -Infinity
  return isInfinity ? INFINITY_FIX : undefined
}

/** Returns the fix for a number that counts seconds or milliseconds since 1970. */
export function explainTimestamp(value: unknown): string {
  const infinity = explainInfinity(value)
  if (infinity !== undefined) return infinity
  const number = typeof value === 'number' ? 'value' : 'Number(value)'
  return `Write new Date(${number} * 1000).toISOString() if it is in seconds, or new Date(${number}).toISOString() if it is in milliseconds.`
}

/** Returns why a string is not a URI, or has no host, and the fix. */
export function explainUri(
  value: string,
  problem: 'syntax' | 'host',
): readonly [message: string, fix: string] {
  if (problem === 'host') {
    return ['must be a URI with a host', 'Use a URL such as https://example.com/.']
  }
  if (value === '')
    return ['must be a URI, got an empty string', 'Omit the field or provide a URL.']
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value)) {
    return ['must be a URI, got one without a scheme', 'Start with https://.']
  }
  return /[^!-~]/.test(value)
    ? ['must be a URI, got spaces or non-ASCII characters', 'Encode them with encodeURI().']
    : ['must be a URI (RFC 3986)', 'Percent-encode invalid characters.']
}

/** Describes a closed list: `"a"`, or `one of a, b or c`. */
export function listNames(names: readonly string[]): string {
  return names.length === 1 ? `"${names[0]}"` : `one of ${joinNames(names)}`
}

/** Joins names: `a`, `a or b`, `a, b or c`. */
export function joinNames(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
