import { readProperty } from './hostile-values.ts'

/** The key of the function that loads a section, in all copies of the package. */
export const SETTLE: unique symbol = Symbol.for('sidecard.section') as never

/** Returns whether a value has the function that loads a section. */
export function hasSettle(value: unknown): boolean {
  return typeof readProperty(value, SETTLE) === 'function'
}
