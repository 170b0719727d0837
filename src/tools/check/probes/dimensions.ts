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

/** A customer who is named in one way. */
export interface NamedCustomer {
  readonly customer: Customer
  /** The way in a sentence, such as ` with only the account_id`. */
  readonly naming: string
}

/** Names a customer in each way. The unknown IDs of a passed customer name nobody. */
export function nameInEachWay(customer: Customer): readonly NamedCustomer[] {
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
  readonly isPattern?: true
  /** Whether a careless lookup finds a customer with the text, so that it stands in a passed ID. */
  readonly selects?: true
}

/** One text at a time, because one may hide the effect of another. */
export const SPECIAL_TEXTS: readonly SpecialText[] = [
  { contains: 'a quotation mark', text: '"' },
  { contains: 'a backslash', text: '\\' },
  { contains: 'an apostrophe', text: "'" },
  { contains: 'a tag', text: '<b>' },
  { contains: 'an expression in braces', text: '{{7*7}}' },
  { contains: 'an expression in ${}', text: '${7*7}' },
  { contains: 'an expression in #{}', text: '#{7*7}' },
  { contains: 'an expression in <%= %>', text: '<%=7*7%>' },
  { contains: 'a format', text: '%s%d' },
  { contains: 'a numbered placeholder', text: '{0}' },
  { contains: 'a replacement pattern', text: '$&' },
  { contains: 'a condition of SQL', text: "' OR '1'='1", selects: true },
  { contains: 'a pattern of SQL', text: '%', isPattern: true, selects: true },
  { contains: 'a wildcard', text: '*', isPattern: true, selects: true },
]

/** The places of a special text. The IDs take turns, and so do the customers. */
export const TEXT_PLACES = [
  'the email address of a passed customer',
  'the email address of a made-up customer',
  'an ID',
] as const

/** Characters that an email address contains only between quotation marks (RFC 5322). */
const QUOTED = /[^\w!#$%&'*+/=?^`{|}~.-]/

/** Creates a valid email address that contains a special text. */
export function emailWith({ text, isPattern }: SpecialText, word: string): string {
  const local = isPattern ? text : `${word}${text}`
  return QUOTED.test(local)
    ? `"${local.replaceAll(/["\\]/g, String.raw`\$&`)}"@example.com`
    : `${local}@example.com`
}

/** Creates an ID that contains a special text. */
export function idWith({ text, isPattern }: SpecialText, word: string): string {
  return isPattern ? text : `${word}${text}`
}
