import { findNodeAtLocation, type JSONPath, type Node, parseTree, type Segment } from 'jsonc-parser'

/** A range in a text. Lines and columns start at 1. */
export interface TextRange {
  readonly from: number
  readonly to: number
  readonly line: number
  readonly column: number
}

interface Parsed {
  readonly text: string
  readonly root: Node | undefined
  /** The offset of each line. */
  readonly lines: readonly number[]
}

let last: Parsed | null = null

/** Parses a text, which may contain errors. A text that is nested too deeply has no tree. */
export function parseText(text: string): Node | undefined {
  return parse(text).root
}

function parse(text: string): Parsed {
  if (last?.text !== text) {
    const lines = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
    last = { text, root: attempt(() => parseTree(text)), lines }
  }
  return last
}

/** Runs the parser, which is recursive and fails for a text that is nested too deeply. */
function attempt<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Finds a path in a text, or its nearest existing parent. A property starts at its name. */
export function locatePath(text: string, path: string): TextRange {
  return locateSegments(text, parsePath(path))
}

/** Finds a path like {@link locatePath}, by its segments. */
export function locateSegments(text: string, path: JSONPath): TextRange {
  const root = parseText(text)
  for (let length = path.length; length >= 0; length -= 1) {
    const node = root && findNodeAtLocation(root, path.slice(0, length))
    if (node === undefined) continue
    const from = node.parent?.type === 'property' ? node.parent.offset : node.offset
    return toRange(text, from, node.offset + node.length)
  }
  return toRange(text, 0, 0)
}

function toRange(text: string, from: number, to: number): TextRange {
  const { lines } = parse(text)
  let line = 0
  // A binary search, because a large text may have a problem in every line.
  for (let end = lines.length; end - line > 1;) {
    const middle = Math.floor((line + end) / 2)
    if ((lines[middle] ?? 0) <= from) line = middle
    else end = middle
  }
  return { from, to, line: line + 1, column: from - (lines[line] ?? 0) + 1 }
}

/** Parses a path into segments: `components[2].items[0].color`. */
function parsePath(path: string): Segment[] {
  return [...path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|[^.[\]]+/g)].map(
    ([segment, index, quoted]) =>
      index === undefined
        ? quoted === undefined
          ? segment
          : (attempt(() => String(JSON.parse(quoted))) ?? quoted)
        : Number(index),
  )
}
