import { validateHeader } from '../contract/encode.ts'
import { describeType } from '../contract/explain.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import type { SectionCache } from '../internal/cache-types.ts'
import { isObject } from '../contract/write-values.ts'
import { readProperty } from '../internal/hostile-values.ts'
import type { SectionContent } from './children.ts'
import { throwInvalid } from './invalid-component-error.ts'
import { findOptionIssues } from './option-issues.ts'

// Shared by all copies of the package, and never the key of a component.
const brand = Symbol.for('sidecard.section')

/** The longest delay of a timer: 2^31 - 1 milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647

/** A function that loads the content of a section. The signal aborts at the timeout of the section. */
export type LoadSection = (signal: AbortSignal) => SectionContent | PromiseLike<SectionContent>

/** Options for {@link section}. */
export type SectionOptions = SectionDisplay & (CachedSection | UncachedSection)

interface SectionDisplay {
  /** An icon next to the title: an http or https URL. */
  readonly icon_url?: string | undefined
  /**
   * The time limit of `load`, in milliseconds.
   * @default the time limit of the app
   */
  readonly timeoutMs?: number | undefined
}

interface CachedSection {
  /** Caches the content: `sectionCache()` of `sidecard/cache`. */
  readonly cache: SectionCache
  /** Everything that `load` uses, such as `[account.id]`. Sections with equal keys share content. */
  readonly key: readonly unknown[]
}

interface UncachedSection {
  readonly cache?: undefined
  readonly key?: undefined
}

/**
 * A card that loads separately: a placeholder that the app replaces.
 *
 * @see {@link section}
 */
export interface Section {
  readonly [brand]: true
  readonly title: string
  readonly load: LoadSection
  readonly icon_url?: string
  readonly timeoutMs?: number
  readonly cache?: SectionCache
  readonly key?: readonly unknown[]
}

/**
 * Creates a card that loads separately: in parallel with the other sections,
 * with its own timeout. If it fails, agents still see the rest. Return it from
 * `fetchData` next to the cards, never inside one.
 *
 * @param load returns the components of the card
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example section('Recent errors', (signal) => recentErrors(id, signal), { timeoutMs: 1500 })
 *
 * @see docs/guides/slow-sources.md
 */
export function section(title: string, load: LoadSection, options: SectionOptions = {}): Section {
  const issues = [...findTitleIssues(title), ...findLoadIssues(load), ...validateOptions(options)]
  if (issues.length > 0) throwInvalid(section, 'section', issues, [title, load, options])
  const { timeoutMs, icon_url, cache, key } = options
  return {
    [brand]: true,
    title,
    load,
    ...(icon_url !== undefined && { icon_url }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(cache !== undefined && { cache, key }),
  }
}

/** Returns whether {@link section} created a value, even in another copy of the package. */
export function isSection(value: unknown): value is Section {
  return readProperty(value, brand) === true
}

function findTitleIssues(title: unknown): PayloadIssue[] {
  if (typeof title === 'string') return []
  return [invalid('title', `must be a string, got ${describeType(title)}`, 'Write String(value).')]
}

function findLoadIssues(load: unknown): PayloadIssue[] {
  if (typeof load === 'function') return []
  const message = `must be a function, got ${describeType(load)}`
  return [invalid('load', message, 'Pass a function such as (signal) => recentErrors(signal).')]
}

const OPTIONS = ['icon_url', 'timeoutMs', 'cache', 'key']

function validateOptions(options: unknown): PayloadIssue[] {
  const unknown = findOptionIssues(options, OPTIONS, '{ timeoutMs: 1500 }')
  if (!isObject(options)) return unknown
  const { timeoutMs, icon_url, cache, key } = options
  const issues: PayloadIssue[] = validateHeader({ icon_url }).map((issue) => ({
    ...issue,
    path: `options.${issue.path}`,
  }))
  if (
    timeoutMs !== undefined &&
    !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)
  ) {
    const message = `must be between 1 and ${MAX_TIMEOUT_MS} ms`
    issues.push(invalid('options.timeoutMs', message, 'Use a number such as 1500.'))
  }
  if (cache !== undefined && typeof (cache as SectionCache | null)?.fetch !== 'function') {
    const message = `must be a section cache, got ${describeType(cache)}`
    issues.push(invalid('options.cache', message, 'Create it with sectionCache().'))
  }
  if (!Array.isArray(key) && (cache !== undefined || key !== undefined)) {
    const message = `must be an array, got ${describeType(key)}`
    issues.push(invalid('options.key', message, 'List what load uses, such as [account.id].'))
  } else if (key !== undefined && cache === undefined) {
    issues.push(invalid('options.key', 'has no effect without a cache', 'Add "cache".'))
  }
  return [...issues, ...unknown]
}

function invalid(path: string, message: string, fix: string): PayloadIssue {
  return { path, code: 'invalid_type', message, fix }
}
