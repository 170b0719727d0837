import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { FetchDataIds } from '../query.ts'
import { extractNames, findTitles } from './personal-names.ts'
import { createPlaceholders, type Replaced } from './placeholders.ts'
import { createReplacer } from './replacer.ts'

/** Options for {@link anonymize}. */
export interface AnonymizeOptions {
  /** Additional texts to replace, such as a name in a sentence. */
  readonly replace: readonly string[]
  /** Texts to keep even if they look personal. */
  readonly keep: readonly string[]
  /** Redacts secrets in every string, before anything else is replaced. */
  readonly redact: Redact
}

/** The parts of a recording that are safe to save. */
export interface AnonymizedRecording {
  readonly params: FetchDataIds
  readonly body: unknown
  readonly replaced: Replaced
  /** The titles that are unchanged. They may contain a name that was not recognized. */
  readonly kept: readonly string[]
}

/** Fields with closed lists of values. A placeholder would make the payload invalid. */
const STRUCTURE = new Set(['type', 'button_type', 'color', 'version'])

/** A shorter ID can occur in text by chance, so "7" is only replaced if it is the whole value. */
const MIN_SUBSTRING_LENGTH = 4

/**
 * Replaces email addresses, IDs, phone numbers and names by placeholders. Titles
 * of headers and cards count as names, except for words that are usual there. The
 * same value gets the same placeholder everywhere: in the parameters, the body
 * and URLs, even if it is percent-encoded. Dates and amounts are kept.
 *
 * @see docs/testing.md#recordings
 */
export function anonymize(
  { params, body }: { readonly params: FetchDataIds; readonly body: unknown },
  { replace, keep, redact }: AnonymizeOptions,
): AnonymizedRecording {
  const placeholders = createPlaceholders()
  const keepList = new Set(keep.map((text) => text.toLowerCase()))
  const exactMatches = new Map<string, () => string>()
  const substringMatches = new Map<string, () => string>()
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = params[name]
    if (value === undefined || value === '' || keepList.has(value.toLowerCase())) continue
    const isEmail = name === 'requester_email' && value.includes('@')
    const placeholderFor =
      exactMatches.get(value) ??
      (() => (isEmail ? placeholders.email(value) : placeholders.id(value, PREFIXES[name])))
    exactMatches.set(value, placeholderFor)
    if (value.length >= MIN_SUBSTRING_LENGTH) substringMatches.set(value, placeholderFor)
  }
  for (const text of replace) substringMatches.set(text, () => placeholders.name(text))
  const redacted = redactValue(body, (text) => redact(normalizeActionLinks(text)))
  const titles = new Set(findTitles(redacted))
  const names = extractNames([params, redacted], keepList)
  const replaceText = createReplacer({
    exactMatches,
    substringMatches,
    names,
    keepList,
    placeholders,
  })
  const anonymizedParams = Object.entries(params).map(([name, value]) => [
    name,
    value === undefined ? value : redact(exactMatches.get(value)?.() ?? value),
  ])
  return {
    params: Object.fromEntries(anonymizedParams),
    body: mapStrings(redacted, replaceText),
    kept: [...titles].filter((title) => replaceText(title) === title),
    replaced: placeholders.replaced,
  }
}

const PREFIXES = {
  app_id: 'app_',
  widget_id: 'widget_',
  issue_id: 'issue_',
  organization_id: 'organization_',
  account_id: 'account_',
  requester_id: 'user_',
  requester_email: 'user_',
} as const

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value === 'number') {
    const mapped = map(String(value))
    return mapped === String(value) ? value : mapped
  }
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      // A key that looks like a field name is kept, even if a customer has the same name.
      const name = /^[a-z_]+$/.test(key) ? key : map(key)
      return [name, STRUCTURE.has(key) ? child : mapStrings(child, map)]
    }),
  )
}
