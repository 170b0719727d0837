import type { FieldSpec } from '../contract/field-spec.ts'
import type { Component, Payload } from '../contract/generated/types.ts'
import { PAYLOAD_OBJECTS, type PayloadObject } from '../contract/generated/vocabulary.ts'

/**
 * Returns source code that builds a payload with the builders of `sidecard`.
 * There are two differences from the original payload: a header without a title
 * gets an empty one, because builders require it (A1), and another version
 * becomes 1.0.0 (A3).
 */
export function builderCode(payload: Payload): string {
  const used = new Set<string>(['payload'])
  // The builder sets the version.
  const fields = fieldsCode('payload', { ...payload, version: undefined }, 0, used)
  const body = `payload({\n${fields.map((each) => `  ${each},\n`).join('')}})`
  return `import { ${[...used].sort().join(', ')} } from 'sidecard'\n\n${body}\n`
}

const WIDTH = 90

function componentCode(component: Component, depth: number, used: Set<string>): string {
  const builder = component.type.replaceAll(/_([a-z])/g, (_, letter: string) =>
    letter.toUpperCase(),
  )
  used.add(builder)
  const fields = fieldsCode(component.type, component, depth, used)
  return fields.length === 0 ? `${builder}()` : call(builder, fields, depth)
}

/** Returns the code of each field of an object, in the order of the contract's tables. */
function fieldsCode(
  owner: PayloadObject,
  object: object,
  depth: number,
  used: Set<string>,
): string[] {
  const table: Readonly<Record<string, FieldSpec>> = PAYLOAD_OBJECTS[owner]
  const values = object as Readonly<Record<string, unknown>>
  return Object.entries(table).flatMap(([name, spec]) => {
    const value = values[name]
    // A builder sets the type, and the only value of a list is its default.
    const isSet = spec.kind === 'type' || (spec.kind === 'enum' && spec.values?.length === 1)
    if (isSet || value === undefined) return []
    return [`${name}: ${valueCode(spec, value, depth, used)}`]
  })
}

function valueCode(spec: FieldSpec, value: unknown, depth: number, used: Set<string>): string {
  const { kind, object, items } = spec
  switch (kind) {
    case 'type':
    case 'string':
    case 'link':
    case 'icon':
    case 'date_time':
    case 'enum':
      return literal(value as string)
    case 'number':
    case 'boolean':
      return String(value)
    case 'words':
      return list((value as string[]).map(literal), depth + 1)
    case 'object':
      return objectCode(object as PayloadObject, value as object, depth, used)
    case 'array':
      return list(
        (value as object[]).map((item) =>
          items !== undefined && items in PAYLOAD_OBJECTS
            ? objectCode(items as PayloadObject, item, depth, used)
            : componentCode(item as Component, depth + 2, used),
        ),
        depth + 1,
      )
    default:
      return kind satisfies never
  }
}

function objectCode(name: PayloadObject, object: object, depth: number, used: Set<string>): string {
  // Builders require a title (A1).
  const whole = name === 'header' ? { title: '', ...object } : object
  return `{ ${fieldsCode(name, whole, depth, used).join(', ')} }`
}

function call(builder: string, fields: readonly string[], depth: number): string {
  const line = `${builder}({ ${fields.join(', ')} })`
  if (fits(line, depth)) return line
  const inner = indent(depth + 1)
  return `${builder}({\n${fields.map((each) => `${inner}${each},\n`).join('')}${indent(depth)}})`
}

function list(items: readonly string[], depth: number): string {
  const line = `[${items.join(', ')}]`
  if (items.length < 2 && fits(line, depth)) return line
  const inner = indent(depth + 1)
  return `[\n${items.map((each) => `${inner}${each},\n`).join('')}${indent(depth)}]`
}

function fits(line: string, depth: number): boolean {
  return !line.includes('\n') && line.length + depth * 2 <= WIDTH
}

/** Quotes a string, and escapes characters that an editor would interpret or hide. */
function literal(value: string): string {
  const double = JSON.stringify(value).replaceAll(
    HIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (value.includes("'")) return double
  return `'${double.slice(1, -1).replaceAll('\\"', '"')}'`
}

/** Line separators, and characters that change the direction of text or have no width. */
const HIDDEN = /[\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g

function indent(depth: number): string {
  return '  '.repeat(depth)
}
