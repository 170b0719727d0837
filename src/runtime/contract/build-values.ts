import { isArray, isDate } from '../internal/hostile-values.ts'
import type { Component } from './generated/types.ts'
import { isOneOf } from './copy-values.ts'

/** The parts that the generated checks of builders share. */

/**
 * Copies the components of an array that have one of the given types. Returns
 * `undefined` if the value is not an array of them.
 */
export type Flatten = <Type extends Component['type']>(
  items: unknown,
  types: readonly Type[],
) => Extract<Component, { type: Type }>[] | undefined

/**
 * Returns the text of a date-time: a `Date` is written in UTC. Returns an empty
 * string for a `Date` that RFC 3339 cannot express, and for other types.
 */
export function toDateTime(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || !isDate(value)) return ''
  const year = value.getUTCFullYear()
  return year >= 0 && year <= 9999 ? value.toISOString() : ''
}

/**
 * The maximum number of fields to copy. The contract's objects have fewer, and
 * others may have millions.
 */
const MAX_COPIED = 20

/**
 * Copies the first own fields of an object that the copy does not have yet. The
 * copy has no prototype, so that `__proto__` is a field like any other.
 */
export function firstFields(
  object: object,
  copy: Record<string, unknown> = Object.create(null),
): Record<string, unknown> {
  let count = 0
  for (const name in object) {
    if (name in copy || !Object.hasOwn(object, name)) continue
    copy[name] = (object as Readonly<Record<string, unknown>>)[name]
    count += 1
    if (count === MAX_COPIED) break
  }
  return copy
}

/** Copies the objects of an array. Returns `undefined` if one of them is invalid. */
export function buildEntries<Entry>(
  entries: unknown,
  build: (entry: unknown) => Entry | undefined,
): Entry[] | undefined {
  if (!isArray(entries)) return undefined
  const copies: Entry[] = []
  for (let index = 0; index < entries.length; index++) {
    const copy = build(entries[index])
    if (copy === undefined) return undefined
    copies.push(copy)
  }
  return copies
}

/**
 * Copies an array of strings, which must be in the closed list if there is one.
 *
 * @public called by the generated code of a field of the kind `words`
 */
export function copyWords<Word extends string = string>(
  entries: unknown,
  list?: readonly Word[],
): Word[] | undefined {
  return buildEntries(entries, (entry) => {
    const isWord = list === undefined ? typeof entry === 'string' : isOneOf(entry, list)
    return isWord ? (entry as Word) : undefined
  })
}
