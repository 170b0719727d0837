import type { SectionCache } from '../internal/cache-types.ts'
import { readProperty } from '../internal/hostile-values.ts'
import type { SectionContent } from './children.ts'

/** The key of the function that loads a section, in all copies of the package. */
export const SETTLE: unique symbol = Symbol.for('sidecard.section') as never

/** A function that loads the content of a section. The signal aborts at the timeout of the section. */
export type LoadSection = (signal: AbortSignal) => SectionContent | PromiseLike<SectionContent>

/**
 * A card that loads separately: a placeholder that the app replaces.
 *
 * @see {@link section}
 */
export interface Section {
  /**
   * Loads the section in the context of a request. The app calls it, so that the
   * bundle of an app without sections does not contain it.
   *
   * @internal
   */
  [SETTLE](section: Section, ctx: unknown): Promise<unknown>
  readonly title: string
  readonly load: LoadSection
  readonly icon_url?: string
  readonly timeoutMs?: number
  readonly cache?: SectionCache
  readonly key?: readonly unknown[]
}

/** Returns whether `section()` created a value, even in another copy of the package. */
export function isSection(value: unknown): value is Section {
  return typeof readProperty(value, SETTLE) === 'function'
}
