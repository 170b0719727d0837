import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import type { FetchDataIds } from '../../desk/query.ts'
import { namesIn } from './personal-names.ts'
import { createPseudonyms, type Replaced } from './pseudonyms.ts'
import { createReplacer } from './replacer.ts'

/** What is known about a recording beside what its values look like. */
export interface AnonymiseOptions {
  /** Texts to replace that nothing gives away, such as a name in a sentence. */
  readonly replace: readonly string[]
  /** Texts that look personal and are not. */
  readonly keep: readonly string[]
  /** Hides secrets, before anything else. */
  readonly redact: (text: string) => string
}

/** What may be saved. */
export interface Anonymised {
  readonly params: FetchDataIds
  readonly body: unknown
  readonly replaced: Replaced
}

/** Fields whose value selects a shape or a colour: another value would be another answer. */
const STRUCTURE = new Set(['type', 'button_type', 'color', 'version'])

/** Shorter ids stand in running text by chance: “7” is replaced where it is all of a value. */
const SHORTEST_IN_TEXT = 4

/**
 * Replaces e-mail addresses, ids, telephone numbers and names, each value by the
 * same stand-in wherever it stands: in the parameters, in the body, in an
 * address and percent-encoded. Dates and amounts are kept.
 *
 * @see docs/testing.md#recordings
 */
export function anonymise(
  { params, body }: { readonly params: FetchDataIds; readonly body: unknown },
  { replace, keep, redact }: AnonymiseOptions,
): Anonymised {
  const pseudonyms = createPseudonyms()
  const kept = new Set(keep.map((text) => text.toLowerCase()))
  const whole = new Map<string, () => string>()
  const inText = new Map<string, () => string>()
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = params[name]
    if (value === undefined || value === '' || kept.has(value.toLowerCase())) continue
    const isEmail = name === 'requester_email' && value.includes('@')
    const standIn = () => (isEmail ? pseudonyms.email(value) : pseudonyms.id(value, PREFIXES[name]))
    whole.set(value, whole.get(value) ?? standIn)
    if (value.length >= SHORTEST_IN_TEXT) inText.set(value, whole.get(value) ?? standIn)
  }
  for (const text of replace) inText.set(text, () => pseudonyms.name(text))
  const names = namesIn([params, body])
  const replaced = createReplacer({ whole, inText, names, kept, pseudonyms })
  const paramsOf = Object.entries(params).map(([name, value]) => [
    name,
    value === undefined ? value : (whole.get(value)?.() ?? value),
  ])
  return {
    params: Object.fromEntries(paramsOf),
    body: mapStrings(body, (text) => replaced(redact(text))),
    replaced: pseudonyms.replaced,
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
      // What is written like the name of a field is one, also when a customer is called the same.
      const name = /^[a-z_]+$/.test(key) ? key : map(key)
      return [name, STRUCTURE.has(key) ? child : mapStrings(child, map)]
    }),
  )
}
