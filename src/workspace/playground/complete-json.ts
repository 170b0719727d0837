import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { findNodeAtLocation, getLocation } from 'jsonc-parser'
import type { Node, Segment } from 'jsonc-parser'
import { COMPONENT_TEMPLATES } from './component-templates.ts'
import { parseText, typeAt } from './json-text.ts'
import { allowedValues, describeKind, resolve, schemasAt } from './schema.ts'
import type { SchemaNode } from './schema.ts'

/** A longer text is not completed, because it is parsed while typing. */
const MAX_LENGTH = 1_048_576

/** Completes property names, allowed values and whole components from the JSON Schema. */
export function completeJson({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  // Most keystrokes are inside a string. A quotation mark in the line shows that without parsing.
  const isQuoted = state.sliceDoc(state.doc.lineAt(pos).from, pos).includes('"')
  if (state.doc.length > MAX_LENGTH || (!isQuoted && !explicit)) return null
  const text = state.doc.toString()
  const { path, isAtPropertyKey, previousNode: token } = getLocation(text, pos)
  const end = token === undefined ? 0 : token.offset + token.length
  const isWithin =
    token !== undefined && pos > token.offset && (pos < end || (explicit && pos === end))
  if (!isWithin && !explicit) return null
  const from = isWithin ? token.offset : pos
  const to = isWithin ? end : pos
  const current = text.slice(from, to).replaceAll('"', '')
  const root = parseText(text)
  const options = isAtPropertyKey
    ? propertyOptions(root, path.slice(0, -1), current, /^\s*:/.test(text.slice(to, to + 20)))
    : valueOptions(root, path, isWithin)
  if (options.length === 0) return null
  // A pair of quotes matches every name, and a complete value is offered with the others.
  const isComplete = !isAtPropertyKey && options.some(({ label }) => label === `"${current}"`)
  return { from, to, options, filter: to - from !== 2 && !isComplete }
}

function propertyOptions(
  root: Node | undefined,
  owner: readonly Segment[],
  current: string,
  hasValue: boolean,
): Completion[] {
  const type = typeAt(root, owner)
  const all = schemasAt(root, owner)
  const fitting = all.filter(({ properties }) => properties?.['type']?.const === type)
  const variants = type === undefined || fitting.length === 0 ? all : fitting
  const object = root && findNodeAtLocation(root, [...owner])
  const existing = object?.children?.map(({ children: [name] = [] }) => String(name?.value)) ?? []
  const options = new Map<string, Completion>()
  for (const { properties = {}, required = [] } of variants) {
    for (const [name, schema] of Object.entries(properties)) {
      if (options.has(name) || (name !== current && existing.includes(name))) continue
      const isRequired = required.includes(name)
      options.set(name, {
        label: `"${name}"`,
        detail: `${describeKind(schema)}${isRequired ? ', required' : ''}`,
        type: 'property',
        boost: isRequired ? 1 : 0,
        apply: hasValue ? `"${name}"` : `"${name}": ${initialValue(schema)}`,
      })
    }
  }
  return [...options.values()]
}

function initialValue(schema: SchemaNode): string {
  const resolved = resolve(schema)
  const [only, ...others] = allowedValues(resolved)
  if (only !== undefined && others.length === 0) return JSON.stringify(only)
  return { array: '[]', object: '{}', number: '0', boolean: 'false' }[resolved.type ?? ''] ?? '""'
}

/** The allowed strings, or, outside of a string, the components that are allowed there. */
function valueOptions(
  root: Node | undefined,
  path: readonly Segment[],
  isWithin: boolean,
): Completion[] {
  const isType = path.at(-1) === 'type'
  const schemas = schemasAt(root, isType ? path.slice(0, -1) : path)
  const values = new Map<string, Completion>()
  for (const { description, ...schema } of schemas) {
    const info = description === undefined ? {} : { info: description }
    const type = schema.properties?.['type']
    for (const value of allowedValues(isType ? (type ?? {}) : schema)) {
      values.set(value, { label: `"${value}"`, type: 'enum', ...info })
    }
    const template = COMPONENT_TEMPLATES.find((each) => each.type === type?.const)
    if (isType || isWithin || template === undefined) continue
    const apply = JSON.stringify(template)
    values.set(apply, { label: template.type, detail: 'component', type: 'class', apply, ...info })
  }
  return [...values.values()]
}
