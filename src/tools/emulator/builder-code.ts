import type { FieldSpec } from '../../runtime/contract/field-spec.ts'
import type { Payload } from '../../runtime/contract/generated/types.ts'
import { PAYLOAD_OBJECTS, type PayloadObject } from '../../runtime/contract/generated/vocabulary.ts'

/**
 * Returns source code that builds a payload with the builders of `sidecard`.
 * There are two differences from the original payload: a header without a title
 * gets an empty one, because builders require it (A1), and another version
 * becomes 1.0.0 (A3).
 */
export function builderCode(payload: Payload): string {
  const used = new Set<string>(['payload'])
  // The builder sets the version.
  const fields = fieldsCode('payload', { ...payload, version: undefined }, used)
  const body = lines('payload({', fields, '})')
  return `import { ${[...used].sort().join(', ')} } from 'sidecard'\n\n${body}\n`
}

/** The maximum length of a line, without its indentation. */
const WIDTH = 84

type Fields = Readonly<Record<string, unknown>>

/** Returns the code of each field of an object, in the order of the contract's tables. */
function fieldsCode(owner: PayloadObject, values: Fields, used: Set<string>): readonly string[] {
  return Object.entries<FieldSpec>(PAYLOAD_OBJECTS[owner]).flatMap(([name, spec]) => {
    const value = values[name]
    // A builder sets the type, and any field that has only one valid value.
    const isSet = spec.kind === 'type' || (spec.kind === 'enum' && spec.values?.length === 1)
    if (isSet || value === undefined) return []
    return [`${name}: ${valueCode(spec.object ?? spec.items ?? '', value, used)}`]
  })
}

/** @param owner the name of the object, or of the union of components, in the contract's tables */
function valueCode(owner: string, value: unknown, used: Set<string>): string {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => valueCode(owner, item, used))
    const line = `[${items.join(', ')}]`
    return items.length < 2 && fits(line) ? line : lines('[', items, ']')
  }
  if (typeof value !== 'object' || value === null) return String(value)
  if (!(owner in PAYLOAD_OBJECTS)) return componentCode(value as Fields, used)
  // Builders require a title (A1).
  const whole = owner === 'header' ? { title: '', ...value } : { ...value }
  return `{ ${fieldsCode(owner as PayloadObject, whole, used).join(', ')} }`
}

function componentCode(component: Fields, used: Set<string>): string {
  const type = component['type'] as PayloadObject
  const builder = type.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  used.add(builder)
  const fields = fieldsCode(type, component, used)
  if (fields.length === 0) return `${builder}()`
  const line = `${builder}({ ${fields.join(', ')} })`
  return fits(line) ? line : lines(`${builder}({`, fields, '})')
}

/**
 * Joins lines of code, and indents the items. This is safe, because a literal
 * contains no line break.
 */
function lines(start: string, items: readonly string[], end: string): string {
  const indented = items.map((item) => `${item},`.replaceAll(/^/gm, '  '))
  return [start, ...indented, end].join('\n')
}

function fits(line: string): boolean {
  return !line.includes('\n') && line.length <= WIDTH
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

/** Matches line separators, and characters that change the direction of text or have no width. */
const HIDDEN = /[\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g
