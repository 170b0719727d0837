/**
 * What a terminal would obey instead of showing: controls, and the characters
 * that turn the direction of the text after them. The joiners that emoji and
 * some scripts are written with stay.
 */
const OBEYED =
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/gu

/** Makes one line of text from outside harmless to a terminal. */
export function visible(line: string): string {
  return line.replaceAll('\t', '  ').replace(OBEYED, '\uFFFD')
}

/** The lines of a text, each harmless. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map(visible)
}
