/** The maximum length of a word. */
const MAX_LENGTH = 40

/**
 * Returns the candidate closest to a misspelled word. It may differ in letter
 * case, in separators, or by at most two edits (one in a word of up to five
 * letters). Returns `undefined` if there is none.
 */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > MAX_LENGTH) return undefined
  const letters = toLetters(word)
  const maxEdits = letters.length > 5 ? 2 : 1
  for (let edits = 0; edits <= maxEdits; edits++) {
    const match = candidates.find((candidate) => isWithin(edits, letters, toLetters(candidate)))
    if (match !== undefined) return match
  }
  return undefined
}

function toLetters(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Returns whether this many insertions, deletions, substitutions and swaps make two words equal. */
function isWithin(edits: number, a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [first, second] = [a.slice(start), b.slice(start)]
  if (first === '' || second === '') return first.length + second.length <= edits
  if (edits === 0) return false
  const isSwap = first[0] === second[1] && first[1] === second[0]
  return (
    isWithin(edits - 1, first.slice(1), second) ||
    isWithin(edits - 1, first, second.slice(1)) ||
    isWithin(edits - 1, first.slice(1), second.slice(1)) ||
    (isSwap && isWithin(edits - 1, first.slice(2), second.slice(2)))
  )
}
