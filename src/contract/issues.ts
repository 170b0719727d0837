/**
 * What can be wrong with a payload; the codes are stable across releases.
 *
 * - `missing_field`: a required field is absent (or `undefined`)
 * - `invalid_type`: a value of another kind than the contract's table says
 * - `unknown_field`: a field that the contract's table does not have (A2)
 * - `unknown_component`: a `type` that is none of the seven
 * - `nested_card`: a card inside a card
 * - `invalid_color`: a badge colour that is none of the five
 * - `invalid_button_type`: a `button_type` other than `link`
 * - `invalid_date_time`: not a date-time of RFC 3339
 * - `invalid_uri`: not a URI of RFC 3986, or one without a host
 * - `invalid_uri_scheme`: a URI whose scheme is not allowed (A9)
 * - `too_many_components`: more components than the caller allows
 * - `unreadable`: reading the value threw (a getter, a proxy), or its text is
 *   longer than a string can be
 *
 * @see docs/contract.md#issues
 */
export const PAYLOAD_ISSUE_CODES = [
  'missing_field',
  'invalid_type',
  'unknown_field',
  'unknown_component',
  'nested_card',
  'invalid_color',
  'invalid_button_type',
  'invalid_date_time',
  'invalid_uri',
  'invalid_uri_scheme',
  'too_many_components',
  'unreadable',
] as const

/** The stable code of a payload issue. @see {@link PAYLOAD_ISSUE_CODES} */
export type PayloadIssueCode = (typeof PAYLOAD_ISSUE_CODES)[number]

/** One thing that is wrong with a payload, and what to do about it. */
export interface PayloadIssue {
  /** Where, as in `components[2].items[0].color`; empty for the payload itself. */
  readonly path: string
  readonly code: PayloadIssueCode
  /** For people: what is wrong and the fix. It never repeats a customer's text. */
  readonly message: string
}

/** No more issues than this are collected, however many there are. */
export const MAX_ISSUES = 20
