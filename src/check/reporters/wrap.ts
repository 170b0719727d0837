/**
 * Breaks text into lines of at most `width` characters, between words if
 * possible. Every line except the first is indented.
 */
export function wrap(text: string, width: number, indent: string): string {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join(`\n${indent}`)
}
