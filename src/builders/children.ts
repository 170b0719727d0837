import type { CardChild, Component, Payload } from '../contract/payload.ts'
import type { Section } from './section.ts'

/**
 * What stands for "nothing here": children like `account && text(…)` leave
 * these behind, and they are dropped. The empty string and 0 are among them
 * because `name && …` and `list.length && …` give those.
 */
export type Absent = false | null | undefined | '' | 0

/** A child of `card()`: any component but a card, or nothing. */
export type CardItem = CardChild | Absent

/** A child of what `fetchData` returns: a component, a section, a promise of a component, or nothing. */
export type Child = Component | Section | PromiseLike<Component | Absent> | Absent

/** What `fetchData` may return: children, one of them, or a whole payload. */
export type FetchDataResult = readonly Child[] | Payload

/** Tells whether a child stands for "nothing here". */
export function isAbsent(child: unknown): child is Absent {
  return child === undefined || child === null || child === false || child === '' || child === 0
}

/** The children that are there, in a new array. */
export function present<Item extends object>(children: readonly (Item | Absent)[]): Item[] {
  const there: Item[] = []
  for (const child of children) if (!isAbsent(child)) there.push(child)
  return there
}
