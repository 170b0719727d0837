import { Text } from '@codemirror/state'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { Node, Segment } from 'jsonc-parser'

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
  readonly doc: Text
}

let last: Parsed | null = null

/** Parses a text, which may contain errors. A text that is nested too deeply has no tree. */
export function parseText(text: string): Node | undefined {
  return parse(text).root
}

function parse(text: string): Parsed {
  if (last?.text !== text) {
    last = { text, root: attempt(() => parseTree(text)), doc: Text.of(text.split('\n')) }
  }
  return last
}

/** The parser is recursive. */
function attempt<Value>(parse: () => Value): Value | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

/** Returns the `type` of the object at a path. */
export function typeAt(root: Node | undefined, path: readonly Segment[]): unknown {
  return root && findNodeAtLocation(root, [...path, 'type'])?.value
}

/** Finds a path in a text, or its nearest existing parent. A property starts at its name. */
export function locatePath(text: string, path: string): TextRange {
  const root = parseText(text)
  const segments = parsePath(path)
  for (let length = segments.length; length >= 0; length -= 1) {
    const node = root && findNodeAtLocation(root, segments.slice(0, length))
    if (node === undefined) continue
    const from = node.parent?.type === 'property' ? node.parent.offset : node.offset
    return toRange(text, from, node.offset + node.length)
  }
  return toRange(text, 0, 0)
}

function toRange(text: string, from: number, to: number): TextRange {
  const line = parse(text).doc.lineAt(from)
  return { from, to, line: line.number, column: from - line.from + 1 }
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
