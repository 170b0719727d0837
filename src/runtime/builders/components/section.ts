import type { SectionCache } from '../../internal/cache-types.ts'
import { hasSettle, type SETTLE } from '../../internal/section-mark.ts'
import type { CardItem, NestedCard } from './children.ts'

/**
 * A type for parameters only. It makes the compiler's error about a nested section
 * end in an explanation.
 */
interface NestedSection extends Section {
  'A section cannot contain a section. Return it next to this one.': never
}

type SettledSectionChild = CardItem | NestedCard | NestedSection | SectionChildren

/** A promise of the content of a section. */
interface PromisedSectionChild extends PromiseLike<SettledSectionChild> {
  readonly type?: never
}

/** Several components of a section. */
interface SectionChildren extends ReadonlyArray<SectionChild> {
  readonly type?: never
}

/**
 * A part of a section: a component except a card, an absent one, a promise of a
 * part, or an array of parts, at any depth.
 */
export type SectionChild = SettledSectionChild | PromisedSectionChild

/** The content of a section: several parts, a component, or `null` for none. */
export type SectionContent = readonly SectionChild[] | Exclude<CardItem, undefined>

/** A function that loads the content of a section. The signal aborts at the timeout of the section. */
export type LoadSection = (signal: AbortSignal) => SectionContent | PromiseLike<SectionContent>

/**
 * A card that loads separately: a placeholder that the app replaces.
 *
 * @see {@link section}
 */
export interface Section {
  /**
   * Loads the section in the context of a request. The app calls it through the
   * section, so that an app without sections does not bundle it.
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
  readonly shared?: boolean
}

/** Returns whether `section()` created a value, even in another copy of the package. */
export function isSection(value: unknown): value is Section {
  return hasSettle(value)
}
