import type { Card, CardChild, Component } from '../../contract/generated/types.ts'
import { isArray, isThenable, readProperty } from '../../internal/hostile-values.ts'
import { hasSettle } from '../../internal/section-mark.ts'

/**
 * The values that mean "no component". `condition && text(…)` produces them, and
 * they are dropped. The empty string and 0 are included because `name && …` and
 * `list.length && …` produce those.
 */
export type Absent = false | null | undefined | '' | 0

/** A component in a card, or an absent one. */
export type CardItem = CardChild | Absent

/**
 * A type for parameters only, not a component. It makes the compiler's error about
 * a nested card end in an explanation.
 */
export interface NestedCard extends Card {
  'A card cannot contain a card. Return it next to this one.': never
}

/** Returns whether a value means "no component". */
export function isAbsent(item: unknown): item is Absent {
  return item === undefined || item === null || item === false || item === '' || item === 0
}

/** The parameter type of an array that may contain arrays. */
export type Nested<Item> = Item | readonly Nested<Item>[]

/** The maximum number of array levels. Deeper nesting is treated as a cycle. */
export const MAX_DEPTH = 32

/** The maximum number of entries, which exceeds every limit of a payload. */
export const MAX_ITEMS = 100_000

/** Stands for a component that cannot be read, so that the validation reports its place. */
const UNREADABLE = Object.freeze({
  get type(): never {
    throw new TypeError('An array entry cannot be read.')
  },
})

/** Reads an entry of an array, which may be a proxy that throws. */
function readEntry(entries: readonly unknown[], index: number): unknown {
  try {
    return entries[index]
  } catch {
    return UNREADABLE
  }
}

/**
 * Visits values that may be nested arrays, without absent ones. It counts the
 * entries, because a few arrays that contain each other twice can expand to
 * millions. An array that is nested too deeply is visited as a value, which the
 * validation reports.
 */
export class Flattener {
  #visitedCount = 0

  /**
   * Visits each entry. Stops and returns false if there are too many, or if `visit`
   * returns false.
   */
  each(value: unknown, visit: (item: unknown) => boolean | void, depth = 0): boolean {
    if (isAbsent(value)) return true
    if (!isArray(value) || depth > MAX_DEPTH) return visit(value) !== false
    this.#visitedCount += value.length
    if (this.#visitedCount > MAX_ITEMS) return false
    for (let index = 0; index < value.length; index += 1) {
      if (!this.each(readEntry(value, index), visit, depth + 1)) return false
    }
    return true
  }
}

/**
 * Returns the components of an array without the absent ones, and with nested
 * arrays flattened. Returns `undefined` if the value is not an array, if an entry
 * has another type, or if there are too many entries or levels.
 */
export function flattenItems<Type extends Component['type']>(
  items: unknown,
  types: readonly Type[],
  isOther = (_entry: unknown) => false,
): Extract<Component, { type: Type }>[] | undefined {
  const components: Extract<Component, { type: Type }>[] = []
  const isFlat = new Flattener().each(items, (entry) => {
    if (!types.includes(readProperty(entry, 'type') as Type) && !isOther(entry)) return false
    components.push(entry as Extract<Component, { type: Type }>)
    return true
  })
  return isFlat && isArray(items) ? components : undefined
}

/** Returns whether a child of a payload settles later: a section or a promise. */
export function isPending(child: unknown): boolean {
  return hasSettle(child) || isThenable(child)
}
