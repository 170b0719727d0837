import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { COMPONENT_TEMPLATES } from './component-templates.ts'
import { nodeAt, propertyNames, readType, stepsTo } from './json-tree.ts'
import type { SyntaxNode } from './json-tree.ts'
import { allowedValues, describeKind, resolve, schemasAt } from './schema.ts'
import type { SchemaNode } from './schema.ts'

/** Completes property names, allowed values and whole components from the JSON Schema. */
export function completeJson(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context
  const quoted = findQuoted(state, pos)
  if (quoted !== null) {
    const before = state
      .sliceDoc(Math.max(0, quoted.from - 200), quoted.from)
      .trimEnd()
      .at(-1)
    const node = nodeAt(state, quoted.from)
    if (before === ':') return valueResult(state, closest(node, 'Property'), quoted)
    const object = closest(node, 'Object')
    return before === '{' || before === ',' ? propertyResult(state, object, quoted) : null
  }
  if (!explicit) return null
  const node = nodeAt(state, pos)
  const here = { from: pos, to: pos }
  const container = node.name === 'Object' || node.name === 'Array' ? node : node.parent
  if (node.name === 'Property' || container?.name === 'Property') {
    return valueResult(state, closest(node, 'Property'), here)
  }
  if (container?.name === 'Object') return propertyResult(state, container, here)
  return container?.name === 'Array' ? elementResult(state, container, pos) : null
}

interface Range {
  readonly from: number
  readonly to: number
}

const MAX_LINE = 20_000

/**
 * Finds the string around a position in the text. The syntax tree is not used,
 * because it often contains an error while a name is being typed.
 */
function findQuoted(state: EditorState, position: number): Range | null {
  const line = state.doc.lineAt(position)
  if (line.length > MAX_LINE) return null
  for (const { 0: token, index } of line.text.matchAll(/"(?:[^"\\]|\\.)*("?)/g)) {
    const from = line.from + index
    const to = from + token.length
    const isClosed = token.length > 1 && token.endsWith('"')
    if (position > from && (isClosed ? position < to : position <= to)) return { from, to }
  }
  return null
}

function closest(node: SyntaxNode, name: string): SyntaxNode | null {
  let current: SyntaxNode | null = node
  while (current !== null && current.name !== name) current = current.parent
  return current
}

function propertyResult(
  state: EditorState,
  object: SyntaxNode | null,
  { from, to }: Range,
): CompletionResult | null {
  if (object === null) return null
  const type = readType(state, object)
  const all = schemasAt(stepsTo(state, object))
  const fitting = all.filter(({ properties }) => properties?.['type']?.const === type)
  const variants = type === undefined || fitting.length === 0 ? all : fitting
  const existing = propertyNames(state, object)
  const current = state.sliceDoc(from, to).replaceAll('"', '')
  const hasValue = /^\s*:/.test(state.sliceDoc(to, to + 20))
  const options = new Map<string, Completion>()
  for (const variant of variants) {
    for (const [name, schema] of Object.entries(variant.properties ?? {})) {
      if (options.has(name) || (existing.has(name) && name !== current)) continue
      const isRequired = variant.required?.includes(name) === true
      options.set(name, {
        label: `"${name}"`,
        detail: `${describeKind(schema)}${isRequired ? ', required' : ''}`,
        type: 'property',
        boost: isRequired ? 1 : 0,
        apply: hasValue ? `"${name}"` : `"${name}": ${initialValue(schema)}`,
      })
    }
  }
  // A pair of quotes without text matches every name.
  const filter = to - from !== 2
  return options.size === 0 ? null : { from, to, options: [...options.values()], filter }
}

function initialValue(schema: SchemaNode): string {
  const resolved = resolve(schema)
  const [only, ...others] = allowedValues(resolved)
  if (only !== undefined && others.length === 0) return JSON.stringify(only)
  return INITIAL_VALUES[resolved.type ?? 'string'] ?? '""'
}

const INITIAL_VALUES: Readonly<Record<string, string>> = {
  array: '[]',
  object: '{}',
  number: '0',
  boolean: 'false',
}

function valueResult(
  state: EditorState,
  node: SyntaxNode | null,
  { from, to }: Range,
): CompletionResult | null {
  if (node === null) return null
  const values = new Map<string, string | undefined>()
  for (const schema of valueSchemas(state, node)) {
    for (const value of allowedValues(schema.node)) values.set(value, schema.description)
  }
  if (values.size === 0) return null
  const options = [...values].map(([value, info]) => ({
    label: `"${value}"`,
    type: 'enum',
    ...(info !== undefined && { info }),
  }))
  // If the value is complete, the other values are offered as well.
  return { from, to, options, filter: !values.has(state.sliceDoc(from, to).replaceAll('"', '')) }
}

/**
 * Returns the schemas of a value. For `type`, these are the schemas of every
 * component that is allowed there.
 */
function valueSchemas(
  state: EditorState,
  node: SyntaxNode,
): readonly { readonly node: SchemaNode; readonly description: string | undefined }[] {
  const steps = stepsTo(state, node)
  const last = steps.at(-1)
  if (last?.key !== 'type') {
    return schemasAt(steps).map((schema) => ({ node: schema, description: schema.description }))
  }
  return schemasAt(steps.slice(0, -1)).flatMap((component) => {
    const type = component.properties?.['type']
    return type === undefined ? [] : [{ node: type, description: component.description }]
  })
}

function elementResult(
  state: EditorState,
  array: SyntaxNode,
  position: number,
): CompletionResult | null {
  const probe = [...stepsTo(state, array), { key: 0, parentType: undefined }]
  const options = schemasAt(probe).flatMap((schema): Completion[] => {
    const type = schema.properties?.['type']?.const
    const template = COMPONENT_TEMPLATES.find((each) => each.type === type)
    if (template === undefined) return []
    return [
      {
        label: template.type,
        detail: 'component',
        type: 'class',
        apply: JSON.stringify(template),
        ...(schema.description !== undefined && { info: schema.description }),
      },
    ]
  })
  return options.length === 0 ? null : { from: position, options }
}
