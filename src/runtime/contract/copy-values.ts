import { isThenable } from '../internal/hostile-values.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { checkUri } from './uri.ts'
import type { Validation } from './validation.ts'

/** The parts that the generated functions share. */

/** An object whose fields are not validated yet. */
export type Fields = { readonly [Name in string]: unknown }

/** Copies an object, or reports its problems. */
export type ObjectCopier<T = unknown> = (object: Fields, validation: Validation) => T | undefined

/** Copies an entry of an array, or reports its problems. */
export type EntryCopier<T = unknown> = (entry: unknown, validation: Validation) => T | undefined

/** An object with more fields than this is not read. */
export const MAX_NAMES = 10_000

/** Returns whether a value is an object, but not a buffer, whose bytes would all be enumerated. */
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
  // A prototype without a parent is `Object.prototype`, of any realm.
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
    // Most objects have their fields in the order of the table, which avoids a search.
    const bit = name === fields[index] ? index : fields.indexOf(name)
    if (bit !== -1) present |= 1 << bit
    // A divider must not have other fields, even if unknown fields are ignored.
    else if (!ignoresUnknownFields || fields.length === 1) return -1
  }
  return (present & required) === required ? present : -1
}

/** Returns whether a value is a URI with one of the schemes. */
export function isUri(value: unknown, schemes: readonly string[] | 'any'): value is string {
  return typeof value === 'string' && checkUri(value, schemes) === undefined
}

/**
 * Handles the rejections of fields that were read from an invalid object. A getter may return
 * a new promise each time, so nothing else can handle this one.
 */
export function discard(...values: readonly unknown[]): undefined {
  for (const value of values) if (isThenable(value)) consumeRejections(value)
}

/** Returns whether a value is in a closed list. */
export function isOneOf<V extends string>(value: unknown, list: readonly V[]): value is V {
  return list.includes(value as V)
}

/**
 * Copies an object in a field. The copy of an invalid object is incomplete, and
 * never returned to the caller.
 */
export function copyObject<T>(
  validation: Validation,
  field: string,
  value: Fields,
  copy: ObjectCopier<T>,
): T {
  const before = validation.issueCount
  const copied = copy(value, validation)
  if (validation.issueCount > before) validation.locate(before, field)
  return copied as T
}

/** Copies the entries of an array in a field. */
export function copyEntries<T>(
  validation: Validation,
  field: string,
  entries: readonly unknown[],
  copy: EntryCopier<T>,
): T[] {
  const { length } = entries
  const copies: T[] = []
  let before = validation.issueCount
  for (let index = 0; index < length; index++) {
    copies.push(copy(entries[index], validation) as T)
    if (validation.issueCount === before) continue
    if (validation.locate(before, `${field}[${index}]`)) break
    before = validation.issueCount
  }
  return copies
}
