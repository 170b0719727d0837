import * as explain from '../contract/explain.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { STRING } from '../contract/walk/values.ts'
import { headerIssues } from '../contract/walk.ts'
import type { CardItem } from './children.ts'
import { isObject, type UriOptions } from './arguments.ts'
import { refuse } from './invalid-component-error.ts'

// Known across copies of the package, and never the key of a component.
const brand = Symbol.for('sidecard.section')

/** The longest delay that timers keep: 2^31 - 1 milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647

/** What a section's `load` gives: the children of its card, one of them, or nothing. */
export type Loaded = readonly CardItem[] | CardItem

/** How a section loads and looks. */
export interface SectionOptions extends UriOptions {
  /**
   * How long `load` may take, in milliseconds, within the deadline of the app.
   * @default the deadline of the app
   */
  readonly timeoutMs?: number | undefined
  /** An icon beside the title. */
  readonly icon_url?: string | undefined
}

/**
 * A card that loads by itself: a marker that the app replaces, not a component.
 *
 * @see {@link section}
 */
export interface Section {
  readonly [brand]: true
  readonly title: string
  readonly icon_url?: string
  readonly timeoutMs?: number
  readonly load: (signal: AbortSignal) => Loaded | PromiseLike<Loaded>
}

/**
 * A card that loads by itself, side by side with the others, with a deadline
 * and a failure of its own: one broken source never costs the agent the rest.
 * It stands among the children that `fetchData` returns, never inside a card.
 *
 * @param load gives the card's children; its signal aborts at the section's deadline
 * @throws InvalidComponentError `invalid_component`
 *
 * @example section('Recent errors', () => recentErrors(ctx), { timeoutMs: 1500 })
 */
export function section(
  title: string,
  load: (signal: AbortSignal) => Loaded | PromiseLike<Loaded>,
  options: SectionOptions = {},
): Section {
  const issues = issuesOf(title, load, options)
  if (issues.length > 0) refuse(section, 'section', issues)
  const { timeoutMs, icon_url } = options
  return {
    [brand]: true,
    title,
    load,
    ...(icon_url === undefined ? {} : { icon_url }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Tells whether a value was made by {@link section}, also by another copy of the package. */
export function isSection(value: unknown): value is Section {
  return isObject(value) && (value as { [brand]?: unknown })[brand] === true
}

function issuesOf(title: unknown, load: unknown, options: unknown): PayloadIssue[] {
  const issues: PayloadIssue[] = []
  const invalid = (path: string, message: string) =>
    issues.push({ path, code: 'invalid_type', message })
  if (typeof title !== 'string') invalid('title', explain.notAString(title, STRING))
  if (typeof load !== 'function') {
    const hint = 'a function that loads the children, such as () => recentErrors(ctx)'
    invalid('load', `must be ${hint}, got ${explain.kindOf(load)}`)
  }
  if (!isObject(options)) {
    invalid('options', `must be an object, got ${explain.kindOf(options)}`)
    return issues
  }
  const { timeoutMs, icon_url, uriSchemes } = options as SectionOptions
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    invalid('options.timeoutMs', `must be milliseconds, from 1 to ${MAX_TIMEOUT_MS}`)
  }
  for (const issue of headerIssues({ icon_url }, { uriSchemes })) {
    issues.push({ ...issue, path: issue.path.replace('header', 'options') })
  }
  return issues
}
