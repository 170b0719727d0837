import type { EditorState, TransactionSpec } from '@codemirror/state'
import { applyEdits, findNodeAtLocation, getLocation, modify, parseTree } from 'jsonc-parser'
import type { JSONPath, Node } from 'jsonc-parser'
import type { Component } from '../../contract/generated/types.ts'
import { parseText, typeAt } from './json-text.ts'

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }

/**
 * Creates a change that inserts a component after the one at the cursor, or at
 * the end of the payload. A card is not inserted into a card. Returns `null` if
 * the text has no `components` array.
 */
export function insertComponent(state: EditorState, component: Component): TransactionSpec | null {
  const text = state.doc.toString()
  const root = parseText(text)
  const { head } = state.selection.main
  const path = root && findPlace(root, getLocation(text, head).path, component.type)
  if (path === undefined || path === null) return null
  const edits = modify(text, path, component, { formattingOptions, isArrayInsertion: true })
  const inserted = findNodeAtLocation(parseTree(applyEdits(text, edits)) as Node, path)
  const anchor = inserted?.offset ?? 0
  return {
    changes: edits.map(({ offset, length, content }) => ({
      from: offset,
      to: offset + length,
      insert: content,
    })),
    selection: { anchor, head: anchor + (inserted?.length ?? 0) },
    scrollIntoView: true,
    userEvent: 'input.component',
  }
}

/** Finds the place after the innermost component around a path that may contain the new one. */
function findPlace(root: Node, cursor: JSONPath, type: Component['type']): JSONPath | null {
  for (let length = cursor.length; length >= 1; length -= 1) {
    const path = cursor.slice(0, length)
    const isInCard = type === 'card' && typeAt(root, path.slice(0, -1)) === 'card'
    const array = findNodeAtLocation(root, path)
    if (path.at(-1) !== 'components' || array?.type !== 'array' || isInCard) continue
    const index = Number(cursor[length])
    const { length: count } = array.children ?? []
    return [...path, index < count ? index + 1 : count]
  }
  const { type: kind, children = [] } = findNodeAtLocation(root, ['components']) ?? {}
  return kind === 'array' ? ['components', children.length] : null
}
