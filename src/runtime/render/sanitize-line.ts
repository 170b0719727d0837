/**
 * Matches control characters and characters that change the direction of text, but
 * not the joiners of emoji and of some scripts.
 */
const CONTROL_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/gu

/** Replaces the characters of untrusted text that would control a terminal or a page. */
export function sanitizeLine(line: string): string {
  return line.replaceAll('\t', '  ').replace(CONTROL_CHARACTERS, '\uFFFD')
}

/** Splits untrusted text into lines, each sanitized. */
export function sanitizeLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map(sanitizeLine)
}
