import type { Component, Header } from '../../contract/generated/types.ts'
import type { Absent } from './children.ts'
import type { Section } from './section.ts'

// In both interfaces, `type` makes the compiler report a wrong component as a component, and not as
// a wrong promise or array. A promise resolves to a `SettledChild`, because TypeScript rejects a
// type that is a promise of itself.

type SettledChild = Component | Section | Absent | Children

/** A promise of a child. */
interface PromisedChild extends PromiseLike<SettledChild> {
  readonly type?: never
}

/** Several children. */
interface Children extends ReadonlyArray<Child> {
  readonly type?: never
}

/**
 * A part of the payload: a component, a section, an absent one, a promise of a
 * child, or an array of children, at any depth. An async helper returns
 * `Promise<Child[]>`.
 */
export type Child = SettledChild | PromisedChild

/** A payload whose components are children. `payload()` creates it. */
export interface PayloadOfChildren {
  readonly version: string
  readonly header: Header
  readonly components: readonly Child[]
}

/**
 * The return value of `fetchData`: several children, a component, a section, or a
 * whole payload. It cannot be `undefined`, so that a forgotten `return` is a type
 * error.
 */
export type FetchDataResult =
  | readonly Child[]
  | Component
  | Section
  | Exclude<Absent, undefined>
  | PayloadOfChildren
