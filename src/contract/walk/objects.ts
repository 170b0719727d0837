import * as explain from '../explain.ts'
import { namesOf } from './fields.ts'
import type { Walk } from './state.ts'
import { reportMissing } from './values.ts'

/** For a value that should be an object or an array, at the current place or at a field of it. */
export function reportNo(
  walk: Walk,
  what: 'an object' | 'a plain object' | 'an array',
  value: unknown,
  field?: string,
): string {
  if (value === undefined && field !== undefined) return reportMissing(walk, field, what)
  return walk.report('invalid_type', field, `must be ${what}, got ${explain.kindOf(value)}`)
}

/**
 * Refuses fields outside a table (A2); on a divider the contract itself forbids them.
 *
 * @param seen the bits of the fields that were read from the object
 */
export function refuseOthers(
  walk: Walk,
  owner: string,
  table: number,
  seen: number,
  object: object,
): void {
  if ((seen & ~table) === 0 || (walk.ignoresUnknown && owner !== 'divider')) return
  const known = namesOf(table)
  const others = Object.keys(object).filter((key) => !known.includes(key))
  if (others.length === 0) {
    walk.report('unreadable', undefined, 'has other fields each time that it is read')
  }
  for (const key of others) {
    walk.report('unknown_field', key, explain.unknownField(owner, key, known))
    if (walk.isDone) return
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Not a Map, a Date, a Promise …, which have no own fields and would pass for an empty header. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A root prototype of any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
