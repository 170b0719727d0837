import type { Node, Segment } from 'jsonc-parser'
import schema from '../../../schema/1.0.0.json' with { type: 'json' }
import { typeAt } from './json-text.ts'

/** The parts of JSON Schema that the payload's schema uses. */
export interface SchemaNode {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly items?: SchemaNode
  readonly oneOf?: readonly SchemaNode[]
}

const DEFINITIONS = schema.$defs as Readonly<Record<string, SchemaNode>>

/**
 * Returns the possible schemas of the value at a path. There are several if a
 * component has no known `type`.
 */
export function schemasAt(root: Node | undefined, path: readonly Segment[]): readonly SchemaNode[] {
  let schemas: readonly SchemaNode[] = [schema]
  for (const [index, key] of path.entries()) {
    const type = typeAt(root, path.slice(0, index))
    schemas = schemas
      .flatMap((node) => narrow(node, type))
      .flatMap(({ items, properties }) =>
        typeof key === 'number' ? (items ?? []) : (properties?.[key] ?? []),
      )
  }
  return schemas.flatMap((node) => narrow(node, undefined))
}

/** Returns the variants of a schema for a `type`, or all of them for an unknown type. */
export function narrow(node: SchemaNode, type: unknown): readonly SchemaNode[] {
  const resolved = resolve(node)
  if (resolved.oneOf === undefined) return [resolved]
  const variants = resolved.oneOf.map(resolve)
  const fitting = variants.filter(({ properties }) => properties?.['type']?.const === type)
  return fitting.length > 0 ? fitting : variants
}

/** Returns the strings that a schema allows; empty if it allows any. */
export function allowedValues(node: SchemaNode): readonly string[] {
  return node.const === undefined ? (node.enum ?? []) : [node.const]
}

/** Describes the kind of value that a schema requires. */
export function describeKind(node: SchemaNode): string {
  const resolved = resolve(node)
  const values = allowedValues(resolved)
  if (values.length > 0) return values.map((value) => `"${value}"`).join(' | ')
  if (resolved.format === 'uri') return 'string, absolute URI'
  if (resolved.format === 'date-time') return 'string, RFC 3339 date-time'
  return resolved.type ?? 'component'
}

/** Follows a reference into `$defs`. */
export function resolve(node: SchemaNode): SchemaNode {
  const target = DEFINITIONS[node.$ref?.replace(/^#\/\$defs\//, '') ?? '']
  return target === undefined ? node : resolve(target)
}
