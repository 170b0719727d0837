/** Up to this length a loop over the characters beats the regular expression. */
const SHORT = 32

/** What JSON escapes: controls, the quote, the backslash, and half a surrogate pair. */
// oxlint-disable-next-line no-control-regex -- the controls are the point
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/

/** Writes a string as JSON does, a lone surrogate as its escape. */
export function jsonString(value: string): string {
  if (value.length > SHORT) return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) {
      return JSON.stringify(value)
    }
  }
  return `"${value}"`
}
