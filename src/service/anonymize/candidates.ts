/** A part of a text, from the first character to the one after the last. */
export type Range = readonly [start: number, end: number]

/** Finds the next part of a text, from an index. */
export type FindNext = (from: number) => Range | undefined

/**
 * Every value that looks personal contains one of these, so that most text is
 * only searched for them. They are separate, because that is five times as fast.
 */
const SIGNS = [/[@_-]/g, /:\/\//g, /\+\d[\d ().-]{6,20}\d/g]

const WHITESPACE = /\s/

/** Finds the parts of a text that may contain personal values, extended to whole words. */
export function findCandidates(text: string, searches: readonly FindNext[]): readonly Range[] {
  const ranges = [...SIGNS.map((sign) => findPattern(text, sign)), findNumber(text), ...searches]
    .flatMap((findNext) => findWords(text, findNext))
    .sort(([left], [right]) => left - right)
  const merged: Range[] = []
  for (const [start, end] of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) {
      merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
    } else merged.push([start, end])
  }
  return merged
}

/** Finds a literal text. */
export function findLiteral(text: string, literal: string): FindNext {
  return (from) => {
    const start = text.indexOf(literal, from)
    return start < 0 ? undefined : [start, start + literal.length]
  }
}

/** Finds a pattern with the flag `g`. */
export function findPattern(text: string, pattern: RegExp): FindNext {
  return (from) => {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    return match === null ? undefined : [match.index, match.index + match[0].length]
  }
}

/** Finds six digits, and tokens: 16 letters and digits. */
function findNumber(text: string): FindNext {
  const findDigit = findPattern(text, /\d\w*/g)
  return (from) => {
    for (let found = findDigit(from); found !== undefined; found = findDigit(found[1])) {
      let [start] = found
      const [digit, end] = found
      while (end - start < 16 && /\w/.test(text[start - 1] ?? '')) start -= 1
      if (end - start >= 16 || /\d{6}/.test(text.slice(digit, end))) return [start, end]
    }
    return undefined
  }
}

/** Extends what is found to whole words. It never looks at a character twice. */
function findWords(text: string, findNext: FindNext): readonly Range[] {
  const words: Range[] = []
  let covered = 0
  for (let found = findNext(0); found !== undefined; found = findNext(found[1])) {
    let [start, end] = found
    if (end <= covered) continue
    while (start > covered && !WHITESPACE.test(text[start - 1] ?? '')) start -= 1
    while (end < text.length && !WHITESPACE.test(text[end] ?? '')) end += 1
    words.push([start, end])
    covered = end
  }
  return words
}
