/** Up to this length a loop over the characters beats the regular expression. */
const SHORT = 48

/** What JSON escapes: controls, the quote, the backslash, and half a surrogate pair. */
// oxlint-disable-next-line no-control-regex -- the controls are the point
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/

/**
 * What JSON writes between the quotes of a string, a lone surrogate as its
 * escape. Most strings need no escape, and are given back as they are.
 */
export function jsonText(value: string): string {
  return needsEscape(value) ? JSON.stringify(value).slice(1, -1) : value
}

function needsEscape(value: string): boolean {
  if (value.length > SHORT) return ESCAPED.test(value)
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return true
    }
  }
  return false
}
