import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'
import { type Customer, ID_KINDS, isPassed } from '../customers.ts'

/**
 * The ways to name a customer. An endpoint may look up each ID in a place of its
 * own, and forget to protect one of them.
 */
export const NAMINGS: ReadonlyArray<FetchDataParameter | 'all IDs'> = [
  'all IDs',
  ...ID_KINDS.map(([name]) => name),
]

/**
 * Names a customer in each way, and describes it, as in ` with only the account_id`. The unknown
 * IDs of a passed customer name nobody.
 */
export function nameInEachWay(customer: Customer) {
  const known = isPassed(customer) ? customer.passed : customer.ids
  return NAMINGS.flatMap((name) => {
    if (name === 'all IDs') return [{ customer, naming: '' }]
    const id = known[name]
    if (id === undefined) return []
    const ids = { [name]: id }
    return [{ customer: { ...customer, ids }, naming: ` with only the ${name}` }]
  })
}

/** A text that a careless endpoint interprets. */
export interface SpecialText {
  readonly contains: string
  /** The text after a unique word, or alone if the text is a pattern that matches every customer. */
  readonly text: string
  /** The text in an email address, where it ends a different kind of query. @default `text` */
  readonly inEmail?: string
  readonly isPattern?: true
  /** Whether no email address contains the text, so that an endpoint may reject it. */
  readonly isInvalid?: true
  /** Whether a careless endpoint replaces the text, which nobody else has a reason to change. */
  readonly isReplaced?: true
}

/** One text at a time, because one may hide the effect of another. */
export const SPECIAL_TEXTS: readonly SpecialText[] = [
  { contains: 'a quotation mark', text: '"' },
  { contains: 'a backslash', text: '\\' },
  { contains: 'an apostrophe', text: "'" },
  { contains: 'a tag', text: '<b>' },
  { contains: 'an expression in braces', text: '{{7*7}}', isReplaced: true },
  { contains: 'an expression in ${}', text: '${7*7}', isReplaced: true },
  { contains: 'an expression in #{}', text: '#{7*7}', isReplaced: true },
  { contains: 'an expression in <%= %>', text: '<%=7*7%>' },
  { contains: 'a line break', text: '\r\nsidecard-check: 1', isInvalid: true },
  { contains: 'a format', text: '%s', isReplaced: true },
  { contains: 'a numbered placeholder', text: '{0}', isReplaced: true },
  { contains: 'a replacement pattern', text: '$&', isReplaced: true },
  { contains: 'a variable', text: '$HOME', isReplaced: true },
  { contains: 'a condition of SQL', text: "' or '1'='1", inEmail: "' or 1=1 -- " },
  { contains: 'a pattern of SQL', text: '%', isPattern: true },
  { contains: 'a wildcard', text: '*', isPattern: true },
  { contains: 'a regular expression', text: '.*', isPattern: true },
]

/** Characters that an email address contains only between quotation marks (RFC 5322). */
const QUOTED = /^\.|[^\w!#$%&'*+/=?^`{|}~.-]/

/** Creates a valid email address that contains a special text. */
export function emailWith({ text, inEmail = text, isPattern }: SpecialText, word: string): string {
  const local = isPattern ? inEmail : `${word}${inEmail}`
  return QUOTED.test(local)
    ? `"${local.replaceAll(/["\\]/g, String.raw`\$&`)}"@example.com`
    : `${local}@example.com`
}

/** Creates an ID that contains a special text. */
export function idWith({ text, isPattern }: SpecialText, word: string): string {
  return isPattern ? text : `${word}${text}`
}
