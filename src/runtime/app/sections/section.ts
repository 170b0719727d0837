import {
  argumentIssue,
  throwInvalid,
  throwToCaller,
} from '../../builders/components/invalid-component-error.ts'
import type { LoadSection, Section } from '../../builders/components/section.ts'
import { describeType } from '../../contract/explain.ts'
import { isIconUrl } from '../../contract/uri.ts'
import type { SectionCache } from '../../internal/cache-types.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { SETTLE } from '../../internal/section-mark.ts'
import {
  hasMethods,
  invalidOption,
  kind,
  milliseconds,
  readOptions,
} from '../../internal/read-options.ts'
import { settleSection } from './settle-section.ts'

/** Options of {@link section}. */
export type SectionOptions = SectionDisplay & (CachedSection | UncachedSection)

interface SectionDisplay {
  /** An icon next to the title: an http or https URL. */
  readonly icon_url?: string | undefined
  /**
   * The timeout of `load`, in milliseconds.
   * @default the timeout of the app
   */
  readonly timeoutMs?: number | undefined
}

interface CachedSection {
  /** Caches the content: `sectionCache()` of `sidecard/cache`. */
  readonly cache: SectionCache
  /**
   * Everything that the content depends on, except the organization, the title and the
   * customers that `identify()` found before the section started. Required if there is
   * no customer. If a part is absent (`undefined`, `null`, NaN, blank, or text such as
   * `acc_undefined`), the section loads uncached, and the log names the section and the
   * part.
   * @default []
   */
  readonly key?: readonly unknown[] | undefined
  /**
   * Whether the content is the same for all customers of the organization, such as a
   * price list.
   * @default false
   */
  readonly shared?: boolean | undefined
}

interface UncachedSection {
  readonly cache?: undefined
  readonly key?: undefined
  readonly shared?: undefined
}

/**
 * Creates a card that loads separately: in parallel with the other sections,
 * with its own timeout. If it fails, agents still see the rest. Return it from
 * `fetchData` next to the cards, never inside one.
 *
 * @param load returns the components of the card
 * @throws {InvalidComponentError} `invalid_component`: an invalid title, or no function
 * @throws {SidecardError} `invalid_options`: an unknown or invalid option
 *
 * @example section('Recent errors', (signal) => recentErrors(id, signal), { timeoutMs: 1500 })
 *
 * @see docs/guides/slow-sources.md
 */
export function section(
  title: string,
  load: LoadSection,
  options: SectionOptions = NO_OPTIONS,
): Section {
  assertTitleAndLoad(title, load, options)
  if (options === NO_OPTIONS) return { [SETTLE]: settleSection, title, load }
  const { timeoutMs, icon_url, cache, key, shared } = readSectionOptions(title, load, options)
  return {
    [SETTLE]: settleSection,
    title,
    load,
    ...(icon_url !== undefined && { icon_url }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(cache !== undefined && { cache }),
    ...(key !== undefined && { key }),
    ...(shared !== undefined && { shared }),
  }
}

interface AllOptions extends SectionDisplay {
  readonly cache?: SectionCache | undefined
  readonly key?: readonly unknown[] | undefined
  readonly shared?: boolean | undefined
}

const NO_OPTIONS: SectionOptions = {}

// The annotations let bundlers remove this from an app without sections.
const OPTIONS = {
  icon_url: /* @__PURE__ */ kind<string>(
    'an http or https URL',
    (value) => typeof value === 'string' && isIconUrl(value),
  ),
  timeoutMs: /* @__PURE__ */ milliseconds(),
  cache: /* @__PURE__ */ kind<SectionCache>('created by sectionCache()', (value) =>
    hasMethods(value, 'fetch'),
  ),
  key: /* @__PURE__ */ kind<readonly unknown[]>(
    'an array of the values that load uses, such as [period]',
    isArray,
  ),
  shared: /* @__PURE__ */ kind<boolean>('true or false', (value) => typeof value === 'boolean'),
}

function readSectionOptions(title: string, load: LoadSection, options: AllOptions): AllOptions {
  try {
    const read = readOptions('section', options, OPTIONS)
    const { cache, key, shared } = read
    if (cache === undefined && (key !== undefined || shared !== undefined)) {
      const option = key === undefined ? 'the option shared' : 'a key'
      const expected = `${OPTIONS.cache.expected}, because there is ${option}`
      throw invalidOption('section', 'cache', expected)
    }
    return read
  } catch (error) {
    return throwToCaller(section, error, [title, load, options])
  }
}

function assertTitleAndLoad(title: unknown, load: unknown, options: unknown): void {
  if (typeof title === 'string' && typeof load === 'function') return
  const issue =
    typeof title !== 'string'
      ? argumentIssue('title', title, `must be a string, got ${describeType(title)}`, TITLE_FIX)
      : argumentIssue('load', load, `must be a function, got ${describeType(load)}`, LOAD_FIX)
  throwInvalid(section, 'section', [issue], [title, load, options])
}

const TITLE_FIX = 'Write String(value).'
const LOAD_FIX = 'Pass a function such as (signal) => recentErrors(signal).'
