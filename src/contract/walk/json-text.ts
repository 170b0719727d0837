/** What JSON escapes: controls, the quote, the backslash, and half a surrogate pair. */
// oxlint-disable-next-line no-control-regex -- the controls are the point
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/

/**
 * What JSON writes between the quotes of a string, a lone surrogate as its
 * escape. Most strings need no escape, and are given back as they are.
 */
export function jsonText(value: string): string {
  return ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value
}
