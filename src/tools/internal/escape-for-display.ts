/**
 * Matches control characters, line separators, and characters that are invisible
 * or change the direction of text.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes untrusted text safe to print on one line of a terminal, a log or an XML
 * file: control, bidirectional and invisible characters become escapes such as
 * `\u001b`, and text longer than `maxLength` is truncated with an ellipsis.
 */
export function escapeForDisplay(text: string, maxLength = 120): string {
  // The text is truncated before it is escaped, so that a megabyte costs no more than a line.
  const head = text.slice(0, maxLength + 1)
  const cut = head.length > maxLength
  const safe = (cut ? head.slice(0, maxLength) : head).replace(UNSAFE, escape)
  return cut ? `${safe}…` : safe
}

/** Formats untrusted text for a message: escaped, truncated and in double quotes. */
export function quote(text: string, maxLength = 80): string {
  return `"${escapeForDisplay(text, maxLength)}"`
}

function escape(character: string): string {
  const known = ESCAPES[character]
  if (known !== undefined) return known
  const point = character.codePointAt(0) ?? 0
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
}
