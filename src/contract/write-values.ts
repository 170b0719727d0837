import { checkUri } from './uri.ts'
import type { Validation } from './validation.ts'

/** The parts that the functions of the generated encoder share. */

/** An object whose fields are not validated yet. */
export type Fields = { readonly [Name in string]: unknown }

/** Writes an object, or reports its problems. */
export type ObjectWriter = (object: Fields, validation: Validation) => string

/** Writes an entry of an array, or reports its problems. */
export type EntryWriter = (entry: unknown, validation: Validation) => string

/** An object with more fields than this is not read. */
export const MAX_NAMES = 10_000

/** Enumerating a buffer would list each of its bytes. */
export function isObject(value: unknown): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value)
  )
}

/** Returns false for a `Map`, a `Date`, a promise and other class instances. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The root prototype of any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns the names of the fields of each object. */
export function listFields<Name extends string>(
  tables: Readonly<Record<Name, object>>,
): Readonly<Record<Name, readonly string[]>> {
  const names = {} as Record<Name, readonly string[]>
  for (const name in tables) names[name] = Object.keys(tables[name])
  return names
}

/**
 * Returns whether an object has one of the fields, without listing its own
 * fields, of which there may be millions.
 */
export function hasAny(object: Fields, fields: readonly string[]): boolean {
  return fields.some((field) => Object.hasOwn(object, field))
}

/**
 * Finds the names of an object in its table. Returns a bit for each field,
 * starting with the lowest, or -1 if the object lacks a required field or has
 * unknown ones.
 */
export function findFields(
  names: readonly string[],
  fields: readonly string[],
  required: number,
  { ignoresUnknownFields }: Validation,
): number {
  if (names.length > MAX_NAMES) return -1
  let present = 0
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!
    // Most objects have their fields in the order of the table.
    const bit = name === fields[index] ? index : fields.indexOf(name)
    if (bit !== -1) present |= 1 << bit
    // On a divider, another field is always an issue.
    else if (!ignoresUnknownFields || fields.length === 1) return -1
  }
  return (present & required) === required ? present : -1
}

/** Returns whether a value is a URI with one of the schemes. JSON escapes no character of a URI. */
export function isUri(value: unknown, schemes: readonly string[] | 'any'): value is string {
  return typeof value === 'string' && checkUri(value, schemes) === undefined
}

/** Returns whether a value is in a closed list. */
export function isOneOf<V extends string>(value: unknown, list: readonly V[]): value is V {
  return list.includes(value as V)
}

/** The characters that JSON escapes: controls, the quote, the backslash and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- JSON escapes the controls
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/

/** Returns what JSON writes between the quotes of a string. */
export function jsonText(value: string): string {
  return ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value
}

/** Writes an object in a field. */
export function objectJson(
  validation: Validation,
  field: string,
  value: Fields,
  write: ObjectWriter,
): string {
  const before = validation.issueCount
  const json = write(value, validation)
  if (validation.issueCount > before) validation.locate(before, field)
  return json
}

/** Writes the entries of an array in a field, without its brackets. */
export function entriesJson(
  validation: Validation,
  field: string,
  entries: readonly unknown[],
  write: EntryWriter,
): string {
  const { length } = entries
  let json = ''
  let before = validation.issueCount
  for (let index = 0; index < length; index++) {
    const entry = write(entries[index], validation)
    json = index === 0 ? entry : `${json},${entry}`
    if (validation.issueCount === before) continue
    if (validation.locate(before, `${field}[${index}]`)) break
    before = validation.issueCount
  }
  return json
}
