/**
 * Breaks text into lines of at most `width` characters, between words if possible.
 * Every line except the first is indented.
 *
 * @param used the number of characters already in the first line, including its
 * indent
 */
export function wrap(text: string, width: number, indent: string, used = indent.length): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const room = Math.max(20, width - (lines.length === 0 ? used : indent.length))
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join(`\n${indent}`)
}
