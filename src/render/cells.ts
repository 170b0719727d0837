const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters that take two cells: East Asian wide and full-width forms. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u
const NO_CELL = /^[\p{Mark}\p{Format}]+$/u

/** What a reader sees as one character: a letter with its marks, a whole emoji family. */
function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function graphemeCells(grapheme: string): number {
  if (NO_CELL.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

/** How many cells of a terminal a line takes. */
export function cells(line: string): number {
  let sum = 0
  for (const grapheme of graphemes(line)) sum += graphemeCells(grapheme)
  return sum
}

/** A line cut to a number of cells, with an ellipsis where something is missing. */
export function cut(
  line: string,
  width: number,
): { readonly text: string; readonly isCut: boolean } {
  if (width < 1) return { text: '', isCut: line !== '' }
  // No grapheme is longer than this many units in practice; a megabyte is not segmented whole.
  const head = line.slice(0, (width + 1) * 32)
  let text = ''
  let used = 0
  for (const grapheme of graphemes(head)) {
    const next = used + graphemeCells(grapheme)
    if (next > width)
      return { text: `${dropCells(text, next - graphemeCells(grapheme), width - 1)}…`, isCut: true }
    text += grapheme
    used = next
  }
  return head.length < line.length ? { text: `${text}…`, isCut: true } : { text, isCut: false }
}

/** Takes whole characters off the end until the text fits. */
function dropCells(text: string, used: number, width: number): string {
  const kept = graphemes(text)
  let left = used
  while (left > width && kept.length > 0) left -= graphemeCells(kept.pop() ?? '')
  return kept.join('')
}

/** A line filled with blanks up to a number of cells. */
export function pad(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - cells(line)))
}
