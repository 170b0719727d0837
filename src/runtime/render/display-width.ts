const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Matches characters that take two cells: East Asian wide and full-width forms. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1F64F}\u{1F900}-\u{1F9FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\uFE0F/u
const ZERO_WIDTH = /^[\p{Mark}\p{Format}]+$/u

/** Splits text into grapheme clusters, such as a letter with its marks or an emoji family. */
function splitGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function graphemeWidth(grapheme: string): number {
  if (ZERO_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

/** Returns the width of a line in terminal cells. */
export function displayWidth(line: string): number {
  let sum = 0
  for (const grapheme of splitGraphemes(line)) sum += graphemeWidth(grapheme)
  return sum
}

/** Truncates a line to a number of cells. Truncated text ends in an ellipsis. */
export function truncate(
  line: string,
  width: number,
): { readonly text: string; readonly truncated: boolean } {
  if (width < 1) return { text: '', truncated: line !== '' }
  // In practice, a grapheme has at most 32 code units. The limit avoids segmenting a megabyte of
  // text.
  const head = line.slice(0, (width + 1) * 32)
  let text = ''
  let used = 0
  for (const grapheme of splitGraphemes(head)) {
    const next = used + graphemeWidth(grapheme)
    if (next > width) {
      return { text: `${trimToWidth(text, used, width - 1)}…`, truncated: true }
    }
    text += grapheme
    used = next
  }
  return head.length < line.length
    ? { text: `${text}…`, truncated: true }
    : { text, truncated: false }
}

/** Removes whole characters from the end until the text fits. */
function trimToWidth(text: string, used: number, width: number): string {
  const graphemes = splitGraphemes(text)
  let remaining = used
  while (remaining > width && graphemes.length > 0) {
    remaining -= graphemeWidth(graphemes.pop() ?? '')
  }
  return graphemes.join('')
}

/** Fills a line with spaces up to a number of cells. */
export function padToWidth(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - displayWidth(line)))
}
