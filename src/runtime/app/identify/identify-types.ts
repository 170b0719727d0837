import type { Absent, CardItem } from '../../builders/components/children.ts'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import type { Card } from '../../contract/generated/types.ts'

/** A key of a lookup: an ID of the request, or the domain of the email. */
export type LookupKey = FetchDataParameter | 'email_domain'

/**
 * A function that finds customers by one ID. It returns one match, an array of matches, or
 * `null`, `undefined`, `false`, `0`, `''` or an empty array for none. It may return a promise.
 */
export type Lookup = (id: string) => unknown

/** The lookups of `identify()`, by the ID that they search for; an `undefined` one is skipped. */
export type Lookups = { readonly [Key in LookupKey]?: Lookup | undefined }

/**
 * The lookups of one call, with the types of their matches. An unknown key maps to
 * a sentence for the compiler's message.
 */
export type LookupMap<L> = {
  readonly [Key in keyof L]: Key extends LookupKey
    ? L[Key]
    : 'identify() has no such key. Use an ID of the contract, or email_domain.'
}

type OneOf<Found> = Found extends readonly unknown[]
  ? Exclude<Awaited<Found[number]>, Absent>
  : Exclude<Found, Absent>

/** The type of a match, without arrays, promises, and values that mean "no match". */
export type MatchOf<F> = F extends (id: string) => infer Found ? OneOf<Awaited<Found>> : never

/** The keys of lookups. */
export type KeysOf<L> = keyof L & LookupKey

/** The one customer that was found. `via` narrows `value`. */
export type Identified<L> = {
  [Key in KeysOf<L>]: {
    readonly value: MatchOf<L[Key]>
    /** The lookup that found the customer. */
    readonly via: Key
    /** The IDs that were tried before and matched nothing. */
    readonly unmatched: ReadonlyArray<Exclude<KeysOf<L>, Key>>
    /** The return value of the option `id`; absent without it, `undefined` if it is invalid. */
    readonly id?: string | number | bigint | undefined
  }
}[KeysOf<L>]

/** One line about a candidate. */
export interface CandidateDescription {
  readonly label: string
  readonly value?: string | undefined
  /** Makes the line a link. */
  readonly url?: string | undefined
}

/** The content that replaces a default card: a whole card, or components for it. */
export type ReplacementCard = Card | readonly CardItem[]

/** Options of `identify()`: the customer's ID, descriptions of candidates, and replacements of its cards. */
export interface IdentifyOptions<L> {
  /**
   * Returns the customer's ID: a string, a number or a bigint. It is part of the key of
   * every cached section that starts later, so that all issues of a customer share
   * content, however the customer was found. If it is absent or invalid, sections load
   * uncached.
   * @default the lookup that found the customer, and the ID that it searched for
   */
  readonly id?: (customer: MatchOf<L[KeysOf<L>]>) => unknown
  /**
   * Describes a candidate for the agent if several match. At most five are shown.
   * @default only the number of candidates is shown
   */
  readonly describe?: (
    candidate: MatchOf<L[KeysOf<L>]>,
  ) => string | CandidateDescription | PromiseLike<string | CandidateDescription>
  /** Replaces the card for a customer that no lookup found. */
  readonly notFound?: (info: {
    /** The IDs that were present. */
    readonly tried: ReadonlyArray<KeysOf<L>>
  }) => ReplacementCard | PromiseLike<ReplacementCard>
  /** Replaces the card for several matches. */
  readonly ambiguous?: (info: {
    readonly via: KeysOf<L>
    readonly candidates: ReadonlyArray<MatchOf<L[KeysOf<L>]>>
  }) => ReplacementCard | PromiseLike<ReplacementCard>
  /** Replaces the card for a lookup that failed. The response still reports the failure. */
  readonly failed?: (info: {
    readonly via: KeysOf<L>
    readonly error: unknown
  }) => ReplacementCard | PromiseLike<ReplacementCard>
  /**
   * More domains that `email_domain` skips, in addition to public mail providers.
   * Their subdomains are skipped as well.
   * @default []
   */
  readonly publicEmailDomains?: readonly string[] | undefined
  /**
   * No lookup starts after this signal has aborted. In a section, pass the section's
   * signal, because its timeout is shorter and its cache may share the call between
   * requests.
   * @default ctx.signal
   */
  readonly signal?: AbortSignal | undefined
}
