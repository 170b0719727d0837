import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** A node of the syntax tree. */
export type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>

/** One step from the root of the document to a value. */
export interface JsonStep {
  readonly key: string | number
  /**
   * The `type` of the object that the step starts from; `undefined` for an array,
   * or without a `type`.
   */
  readonly parentType: string | undefined
}

const PARSE_TIMEOUT_MS = 40
const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

/**
 * Returns the innermost node to the left of a position. The tree may be
 * incomplete after the timeout.
 */
export function nodeAt(state: EditorState, position: number, side: -1 | 1 = -1): SyntaxNode {
  // The parser stops exactly at the given position, where an unfinished string would be an error.
  const end = Math.min(state.doc.length, state.doc.lineAt(position).to + 1)
  const tree = ensureSyntaxTree(state, end, PARSE_TIMEOUT_MS) ?? syntaxTree(state)
  return tree.resolveInner(position, side)
}

/** Returns the steps from the root to the value of a node. A property name belongs to its value. */
export function stepsTo(state: EditorState, node: SyntaxNode): readonly JsonStep[] {
  const steps: JsonStep[] = []
  for (
    let child = node, parent = node.parent;
    parent !== null;
    child = parent, parent = child.parent
  ) {
    if (child.name === 'Property') {
      const key = readString(state, child.getChild('PropertyName'))
      steps.push({ key: key ?? '', parentType: readType(state, parent) })
    } else if (parent.name === 'Array' && VALUES.has(child.name)) {
      steps.push({ key: elementIndex(parent, child), parentType: undefined })
    }
  }
  return steps.toReversed()
}

/** Returns the elements of an array. */
export function elements(array: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let child = array.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.has(child.name)) found.push(child)
  }
  return found
}

/** Returns the property names of an object. */
export function propertyNames(state: EditorState, object: SyntaxNode): ReadonlySet<string> {
  const names = object
    .getChildren('Property')
    .map((property) => readString(state, property.getChild('PropertyName')))
  return new Set(names.filter((name) => name !== undefined))
}

/** Returns the value of a property of an object. */
export function propertyValue(
  state: EditorState,
  object: SyntaxNode,
  name: string,
): SyntaxNode | undefined {
  const property = object
    .getChildren('Property')
    .find((each) => readString(state, each.getChild('PropertyName')) === name)
  const value = property?.lastChild
  return value !== undefined && value !== null && VALUES.has(value.name) ? value : undefined
}

/** Returns the `type` of an object. */
export function readType(state: EditorState, object: SyntaxNode): string | undefined {
  return readString(state, propertyValue(state, object, 'type') ?? null)
}

/** Returns the content of a string or property name. */
export function readString(state: EditorState, node: SyntaxNode | null): string | undefined {
  if (node === null || (node.name !== 'String' && node.name !== 'PropertyName')) return undefined
  try {
    return String(JSON.parse(state.sliceDoc(node.from, node.to)))
  } catch {
    return undefined
  }
}

function elementIndex(array: SyntaxNode, element: SyntaxNode): number {
  return elements(array).findIndex(({ from }) => from === element.from)
}
