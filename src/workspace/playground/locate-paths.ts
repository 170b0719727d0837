import { visit } from 'jsonc-parser'
import { parsePath } from './json-path.ts'

/** A range in a text. Lines and columns start at 1. */
export interface TextRange {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly column: number
}

const START: TextRange = { from: 0, to: 0, line: 1, column: 1 }

interface Frame {
  readonly path: string
  /** The index of the current element; `null` in an object. */
  index: number | null
  /** The current property of an object. */
  property: TextRange | null
  key: string
}

/**
 * Finds each path in a JSON text in one pass. A property starts at its name. A
 * path that does not exist gets the range of its nearest existing parent.
 */
export function locatePaths(text: string, paths: readonly string[]): (path: string) => TextRange {
  const ancestors = new Map(paths.map((path) => [path, withAncestors(path)]))
  const found = findAll(text, new Set([...ancestors.values()].flat()))
  return (path) => {
    for (const candidate of ancestors.get(path) ?? withAncestors(path)) {
      const range = found.get(candidate)
      if (range !== undefined) return range
    }
    return START
  }
}

/**
 * Returns the keys of a path and its parents, innermost first. A key consists of
 * segments joined by a separator.
 */
function withAncestors(path: string): string[] {
  const segments = parsePath(path)
  return Array.from({ length: segments.length + 1 }, (_, index) =>
    toKey(segments.slice(0, segments.length - index)),
  )
}

function toKey(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `${SEPARATOR}${segment}`).join('')
}

const SEPARATOR = '\u0000'

function findAll(text: string, paths: ReadonlySet<string>): ReadonlyMap<string, TextRange> {
  const found = new Map<string, TextRange>()
  const frames: Frame[] = []
  const enter = (offset: number, length: number, line: number, column: number): string => {
    const frame = frames.at(-1)
    const path = frame === undefined ? '' : `${frame.path}${SEPARATOR}${frame.index ?? frame.key}`
    if (paths.has(path) && !found.has(path)) {
      found.set(path, {
        ...(frame?.property ?? { from: offset, line: line + 1, column: column + 1 }),
        to: offset + length,
      })
    }
    return path
  }
  const leave = () => {
    frames.pop()
  }
  try {
    visit(text, {
      onObjectBegin(offset, length, line, column) {
        const path = enter(offset, length, line, column)
        frames.push({ path, index: null, property: null, key: '' })
      },
      onArrayBegin(offset, length, line, column) {
        const path = enter(offset, length, line, column)
        frames.push({ path, index: 0, property: null, key: '' })
      },
      onObjectProperty(key, offset, length, line, column) {
        const frame = frames.at(-1)
        if (frame === undefined) return
        frame.key = key
        frame.property = { from: offset, to: offset + length, line: line + 1, column: column + 1 }
      },
      onLiteralValue(_value, offset, length, line, column) {
        enter(offset, length, line, column)
      },
      onSeparator(character) {
        const frame = frames.at(-1)
        if (character === ',' && frame !== undefined && frame.index !== null) frame.index += 1
      },
      onObjectEnd: leave,
      onArrayEnd: leave,
    })
  } catch {
    // The parser is recursive: text that is nested too deeply keeps the places found so far.
  }
  return found
}
