/** Controls, line separators, and the characters that turn the direction of text or hide. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes text from outside safe to print on one line of a terminal, a log or an
 * XML file: control, bidirectional and invisible characters become escapes
 * such as `\u001b`, and what is longer than `maxLength` ends in an ellipsis.
 */
export function printable(text: string, maxLength = 120): string {
  // Cut before escaping, so that a megabyte costs no more than a line.
  const head = text.slice(0, maxLength + 1)
  const cut = head.length > maxLength
  const safe = (cut ? head.slice(0, maxLength) : head).replace(UNSAFE, escape)
  return cut ? `${safe}…` : safe
}

/** A string as evidence: made printable and put between double quotes. */
export function quoted(text: string, maxLength = 80): string {
  return `"${printable(text, maxLength)}"`
}

function escape(character: string): string {
  const known = ESCAPES[character]
  if (known !== undefined) return known
  const point = character.codePointAt(0) ?? 0
  return point > 0xffff ? `\\u{${point.toString(16)}}` : `\\u${point.toString(16).padStart(4, '0')}`
}
