import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { Component } from '../../contract/generated/types.ts'
import { elements, nodeAt, propertyValue, readType } from './json-tree.ts'
import type { SyntaxNode } from './json-tree.ts'

/**
 * Creates a change that inserts a component after the one at the cursor, or at
 * the end of the payload. A card is not inserted into a card. Returns `null` if
 * the text has no `components` array.
 */
export function insertComponent(state: EditorState, component: Component): TransactionSpec | null {
  const cursor = state.selection.main.head
  const place = findArray(state, nodeAt(state, cursor), component.type) ?? rootArray(state)
  if (place === null) return null
  const { array, after } = place
  const indent = measureIndent(state, array) + 2
  const lines = JSON.stringify(component, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`)
  const before = after === null ? '' : ','
  const from = after === null ? array.from + 1 : after.to
  const isEmpty = elements(array).length === 0
  // Replaces the blanks of an empty array, so that its closing bracket is on a separate line.
  const to = isEmpty ? array.to - 1 : from
  const end = isEmpty ? `\n${' '.repeat(indent - 2)}` : after === null ? ',' : ''
  const start = `${before}\n${' '.repeat(indent)}`
  return {
    changes: { from, to, insert: start + lines + end },
    selection: { anchor: from + start.length, head: from + start.length + lines.length },
    scrollIntoView: true,
    userEvent: 'input.component',
  }
}

interface Place {
  readonly array: SyntaxNode
  readonly after: SyntaxNode | null
}

/** Finds the innermost `components` array around a node that may contain the component. */
function findArray(state: EditorState, node: SyntaxNode, type: Component['type']): Place | null {
  for (let current: SyntaxNode | null = node; current !== null; current = current.parent) {
    const property: SyntaxNode | null = current.parent
    if (current.name !== 'Array' || property?.name !== 'Property') continue
    const owner = property.parent
    if (owner === null || propertyValue(state, owner, 'components')?.from !== current.from) continue
    if (type === 'card' && readType(state, owner) === 'card') continue
    const cursor = state.selection.main.head
    const after = elements(current).findLast(({ from }) => from < cursor)
    return { array: current, after: after ?? null }
  }
  return null
}

function rootArray(state: EditorState): Place | null {
  const root = nodeAt(state, state.doc.length, 1)
  let top = root
  while (top.parent !== null) top = top.parent
  const object = top.getChild('Object')
  const array = object === null ? undefined : propertyValue(state, object, 'components')
  if (array?.name !== 'Array') return null
  return { array, after: elements(array).at(-1) ?? null }
}

function measureIndent(state: EditorState, node: SyntaxNode): number {
  const { text } = state.doc.lineAt(node.from)
  return text.length - text.trimStart().length
}
