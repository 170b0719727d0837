/**
 * Matches names and paths of fields, parameters and headers. Other texts may be
 * values of a customer.
 */
const NAME = /^[a-z_][\w.[\]-]{0,79}$/i

/** Matches numbers and tokens that look like IDs, such as `acc_77` and `8841730`. */
const LIKE_AN_ID = /\d{3}|[_-]\d{2,}(?:$|[.[])|(?=\w*\d)(?=\w*[a-z])\w{20}/i

/** Returns a name from the traffic, or `[hidden]` if it may be a value. */
export function nameOf(text: string): string {
  return NAME.test(text) && !LIKE_AN_ID.test(text) ? text : '[hidden]'
}
