import type { Redact } from '../../internal/create-redactor.ts'

/** A number, a name from the traffic, several of them, or a number with its noun. */
type Value = number | string | readonly string[] | Counted

interface Counted {
  readonly count: number
  readonly noun: string
}

/** One sentence of evidence. Texts from the traffic are redacted when it is formatted. */
export interface Evidence {
  readonly parts: readonly string[]
  readonly values: readonly Value[]
}

/** Creates a number with its noun, for evidence. */
export function counted(count: number, noun: string): Counted {
  return { count, noun }
}

/** Formats a number with its noun. */
export function plural({ count, noun }: Counted): string {
  const ending = /(?:[sx]|[cs]h)$/.test(noun) ? 'es' : 's'
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : noun + ending
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/**
 * Creates evidence. Its own words are written as they are. Every inserted text is
 * a name from the traffic, and is redacted.
 *
 * @example say`${3} requests sent ${['account_id', 'issue_id']}`
 */
export function say(parts: TemplateStringsArray, ...values: readonly Value[]): Evidence {
  return { parts, values }
}

const MAX_NAMES = 12

/** Names of fields, parameters, headers and closed lists. Other texts may be values of a customer. */
const NAME = /^[a-z_][\w.-]{0,59}$/i

/** Numbers and tokens, as in IDs: `acc_77`, `8841730`. */
const LIKE_AN_ID = /\d{3}|[_-]\d{2,}$|(?=\w*\d)(?=\w*[a-z])\w{20}/i

/** Formats evidence as a sentence that can be shared. */
export function formatEvidence({ parts, values }: Evidence, redact: Redact): string {
  const show = (text: string) =>
    NAME.test(text) && !LIKE_AN_ID.test(text) ? redact(text) : '[hidden]'
  const format = (value: Value): string => {
    if (typeof value === 'number') return value.toLocaleString('en')
    if (typeof value === 'string') return show(value)
    if ('count' in value) return plural(value)
    const shown = [...new Set(value.slice(0, MAX_NAMES).map(show))].join(', ')
    const hidden = value.length - MAX_NAMES
    return hidden > 0 ? `${shown} and ${hidden} more` : shown
  }
  return parts
    .map((part, index) => part + (index < values.length ? format(values[index] ?? '') : ''))
    .join('')
}
