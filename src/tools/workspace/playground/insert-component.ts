import { applyEdits, findNodeAtLocation, getLocation, modify } from 'jsonc-parser'
import type { JSONPath, Node } from 'jsonc-parser'
import type { Component } from '../../../runtime/contract/generated/types.ts'
import { locateSegments, parseText, type TextRange } from './json-text.ts'

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' }

/** A text with a new component. */
interface Inserted {
  readonly text: string
  readonly range: TextRange
}

/**
 * Inserts a component after the one at the cursor, or at the end of the payload. A
 * card is not inserted into a card. Returns `null` if the text has no `components`
 * array.
 */
export function insertComponent(
  text: string,
  cursor: number,
  component: Component,
): Inserted | null {
  const root = parseText(text)
  const path = root && findPlace(root, getLocation(text, cursor).path, component.type)
  if (path === undefined || path === null) return null
  const edits = modify(text, path, component, { formattingOptions, isArrayInsertion: true })
  const changed = applyEdits(text, edits)
  return { text: changed, range: locateSegments(changed, path) }
}

/** Finds the place after the innermost component around a path that may contain the new one. */
function findPlace(root: Node, cursor: JSONPath, type: Component['type']): JSONPath | null {
  for (let length = cursor.length; length >= 1; length -= 1) {
    const path = cursor.slice(0, length)
    const owner = findNodeAtLocation(root, [...path.slice(0, -1), 'type'])?.value as unknown
    const array = findNodeAtLocation(root, path)
    const isInCard = type === 'card' && owner === 'card'
    if (path.at(-1) !== 'components' || array?.type !== 'array' || isInCard) continue
    const index = Number(cursor[length])
    const { length: count } = array.children ?? []
    return [...path, index < count ? index + 1 : count]
  }
  const { type: kind, children = [] } = findNodeAtLocation(root, ['components']) ?? {}
  return kind === 'array' ? ['components', children.length] : null
}
