/** A text in lowercase, with some of its escapes undone. */
export interface View {
  readonly text: string
  /** The start of each character in the original text, followed by the original's length. */
  readonly starts: Uint32Array
}

/** The maximum number of decoded levels. Text in JSON in JSON is escaped twice. */
const MAX_DECODINGS = 3

const ESCAPE =
  /\\u([\da-f]{4})|\\(["\\/])|%([\da-f]{2})|&#x([\da-f]{1,4});|&#(\d{1,5});|&(amp|lt|gt|quot|apos);/g

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * Returns the lowercase text, and its forms with the escapes for URLs, JSON and
 * HTML undone once, twice and so on, as long as that changes it.
 */
export function createViews(text: string): readonly View[] {
  const folded = foldCase(text)
  if (!/[\\%&]/.test(folded)) return [{ text: folded, starts: EMPTY }]
  const starts = Uint32Array.from({ length: text.length + 1 }, (_, index) => index)
  const views: View[] = [{ text: folded, starts }]
  for (let count = 0; count < MAX_DECODINGS; count += 1) {
    const view = views[count]!
    const decoded = decode(view)
    if (decoded.text.length === view.text.length) break
    views.push(decoded)
  }
  return views
}

/** Marks the view of a text without escapes, whose positions are unchanged. */
const EMPTY = new Uint32Array()

/** Returns the position of a view's character in the original text. */
export function placeOf({ starts }: View, index: number): number {
  return starts.length === 0 ? index : (starts[index] ?? 0)
}

function decode({ text, starts }: View): View {
  const parts: string[] = []
  const decodedStarts = new Uint32Array(text.length + 1)
  let length = 0
  let end = 0
  const copyUntil = (index: number) => {
    parts.push(text.slice(end, index))
    decodedStarts.set(starts.subarray(end, index), length)
    length += index - end
  }
  for (const match of text.matchAll(ESCAPE)) {
    const [escape, unicode, json, percent, hex, decimal, name] = match
    const { index } = match
    copyUntil(index)
    const code = unicode ?? percent ?? hex
    const character =
      json ??
      ENTITIES[name ?? ''] ??
      String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
    parts.push(foldCase(character))
    decodedStarts[length] = starts[index] ?? 0
    length += 1
    end = index + escape.length
  }
  copyUntil(text.length)
  decodedStarts[length] = starts.at(-1) ?? 0
  return { text: parts.join(''), starts: decodedStarts.subarray(0, length + 1) }
}

/** Converts to lowercase without changing the length, so that indexes stay valid. */
export function foldCase(text: string): string {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
