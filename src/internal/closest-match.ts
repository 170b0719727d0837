/** The maximum length of a word. The cost of a comparison is the product of both lengths. */
const MAX_LENGTH = 40

/**
 * Returns the candidate closest to a misspelled word. It has the same letters in
 * another case or with other separators, or differs by at most two edits (one in
 * a word of up to five letters). Returns `undefined` if there is none.
 */
export function closestMatch(word: string, candidates: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > MAX_LENGTH) return undefined
  const letters = toLetters(word)
  let best: string | undefined
  let bestDistance = letters.length > 5 ? 3 : 2
  for (const candidate of candidates) {
    const distance = editDistance(letters, toLetters(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function toLetters(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Counts insertions, deletions, substitutions and swaps of adjacent letters. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
