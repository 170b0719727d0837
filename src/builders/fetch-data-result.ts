import type { Component, Payload } from '../contract/generated/types.ts'
import type { Absent } from './children.ts'
import type { Section } from './section.ts'

/**
 * An item of the return value of `fetchData`: a component, a section, a promise of one
 * or several components, or an absent one.
 */
export type FetchDataItem =
  | Component
  | Section
  | PromiseLike<Component | Absent | readonly (Component | Absent)[]>
  | Absent

/**
 * The return value of `fetchData`: several items, a single one, or a whole
 * payload. It cannot be `undefined`, so that a forgotten `return` is a type error.
 */
export type FetchDataResult =
  | readonly FetchDataItem[]
  | Exclude<FetchDataItem, undefined | PromiseLike<unknown>>
  | Payload
