/** A line of a diff. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const MAX_LINES = 4_000

/** Compares two texts line by line. Returns `null` if they are too long. */
export function diffLines(before: string, after: string): readonly DiffLine[] | null {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end += 1
  }
  const removed = a.slice(start, a.length - end)
  const added = b.slice(start, b.length - end)
  if (removed.length * added.length > MAX_LINES * MAX_LINES) return null
  return [
    ...a.slice(0, start).map((text) => ({ kind: 'same', text }) as const),
    ...diffMiddle(removed, added),
    ...a.slice(a.length - end).map((text) => ({ kind: 'same', text }) as const),
  ]
}

/** Compares lines with a table of longest common subsequences. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' })
      i += 1
      j += 1
    } else if (
      j >= b.length ||
      (i < a.length && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push({ kind: 'removed', text: a[i] ?? '' })
      i += 1
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '' })
      j += 1
    }
  }
  return lines
}
