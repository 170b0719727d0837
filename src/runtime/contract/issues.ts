/**
 * Every problem that a payload can have. The codes are stable across releases.
 *
 * - `missing_field`: a required field is absent or `undefined`
 * - `invalid_type`: a value has another type than in the contract's table
 * - `unknown_field`: the contract's table does not have the field (A2)
 * - `divider_field`: a divider has another field than `type`
 * - `invalid_component`: a component is not an object
 * - `unknown_component`: `type` is not one of the contract's component types
 * - `nested_card`: a card is inside another card
 * - `invalid_color`: a badge color is not one of the contract's colors
 * - `invalid_button_type`: `button_type` is not `link`
 * - `invalid_date_time`: a string is not a date-time of RFC 3339
 * - `invalid_uri`: a string is not a URI of RFC 3986, or has no host
 * - `invalid_uri_scheme`: the scheme of a URI is not allowed (A9)
 * - `script_uri`: a `javascript:`, `data:` or `vbscript:` URI, which no option allows
 * - `unawaited_promise`: a promise where its value is expected
 * - `too_many_components`: more components than the caller allows
 * - `unreadable`: reading the value threw (a getter, a proxy), or its text is
 *   longer than a string can be
 *
 * @see docs/contract.md#validation-issues
 */
export const PAYLOAD_ISSUE_CODES = [
  'missing_field',
  'invalid_type',
  'unknown_field',
  'divider_field',
  'invalid_component',
  'unknown_component',
  'nested_card',
  'invalid_color',
  'invalid_button_type',
  'invalid_date_time',
  'invalid_uri',
  'invalid_uri_scheme',
  'script_uri',
  'unawaited_promise',
  'too_many_components',
  'unreadable',
] as const

/** The stable code of a validation issue. @see {@link PAYLOAD_ISSUE_CODES} */
export type PayloadIssueCode = (typeof PAYLOAD_ISSUE_CODES)[number]

/** One problem with a payload, and its fix. */
export interface PayloadIssue {
  /** The value's path, such as `components[2].items[0].color`; empty for the payload itself. */
  readonly path: string
  readonly code: PayloadIssueCode
  /** The problem, as a fragment without a period. It never contains customer data. */
  readonly message: string
  /** The fix, as one sentence. */
  readonly fix: string
}

/** Returns an issue as one line: its path, its problem and its fix. */
export function formatIssue({ path, message, fix }: PayloadIssue, root = ''): string {
  const place = path || root
  return `${place && `${place}: `}${message}. ${fix}`
}
