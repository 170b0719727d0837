import * as explain from '../explain.ts'
import type { Walk } from './state.ts'
import { reportMissing } from './values.ts'

/** Any of the contract's objects, before it was judged. */
export interface Fields {
  readonly type?: unknown
  readonly label?: unknown
  readonly value?: unknown
  readonly icon_url?: unknown
  readonly items?: unknown
  readonly color?: unknown
  readonly button_type?: unknown
  readonly url?: unknown
  readonly header?: unknown
  readonly components?: unknown
  readonly version?: unknown
  readonly title?: unknown
}

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

/** Fields outside the table (A2); on a divider the contract itself forbids them. */
export function reportUnknown(
  walk: Walk,
  owner: string,
  keys: readonly string[],
  known: readonly string[],
): void {
  if (walk.ignoresUnknown && owner !== 'divider') return
  for (const key of keys) {
    if (known.includes(key)) continue
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
