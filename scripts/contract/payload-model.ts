import * as z from 'zod'
import type { FieldSpec } from '../../src/runtime/contract/field-spec.ts'
import * as payload from '../../src/runtime/contract/payload.ts'

/**
 * The model of the payload for the generators, read from the zod schemas of
 * `src/runtime/contract/payload.ts`. Names are derived from the schemas:
 * `badgeItemSchema` is the object `badge_item` with the type `BadgeItem`.
 */

/** A field of an object. */
export interface Field extends FieldSpec {
  readonly name: string
  /** One sentence, from `.describe()`. */
  readonly doc: string
  /** The named enum of the values, such as `badge_color`. */
  readonly enumName?: string
}

/** One of the contract's tables. */
export interface PayloadObject {
  /** In snake_case, such as `badge_item`. */
  readonly name: string
  readonly doc: string
  readonly fields: readonly Field[]
}

/** A union of components, discriminated by `type`. */
export interface ComponentUnion {
  readonly name: string
  readonly doc: string
  /** The names of the objects. */
  readonly members: readonly string[]
}

/** A closed list of strings. */
export interface NamedEnum {
  readonly name: string
  readonly doc: string
  readonly values: readonly string[]
}

/** The complete model. */
export interface PayloadModel {
  readonly objects: readonly PayloadObject[]
  readonly unions: readonly ComponentUnion[]
  readonly enums: readonly NamedEnum[]
}

/**
 * Reads the exported schemas of `payload.ts`, in the order of their references
 * from the payload.
 */
export function readPayloadModel(): PayloadModel {
  const names = new Map(exportedSchemas().map(([name, schema]) => [schema, name]))
  const objects: PayloadObject[] = []
  const unions: ComponentUnion[] = []
  const enums: NamedEnum[] = []
  const visited = new Set<unknown>()

  function visit(schema: unknown): void {
    if (visited.has(schema)) return
    visited.add(schema)
    if (schema instanceof z.ZodObject) {
      const fields = Object.entries(schema.shape).map(([field, value]) =>
        readField(field, value as z.ZodType, names),
      )
      const name = findName(schema, names)
      const type = fields.find(({ kind }) => kind === 'type')?.values?.join()
      if (type !== undefined && type !== name) {
        throw new TypeError(`Name the schema of ${type} after its type: the name is ${name}.`)
      }
      objects.push({ name, doc: readDoc(schema), fields })
      for (const value of Object.values(schema.shape)) visit(value)
    } else if (schema instanceof z.ZodDiscriminatedUnion) {
      const members = schema.options.map((option) => findName(option, names))
      unions.push({ name: findName(schema, names), doc: readDoc(schema), members })
      for (const option of schema.options) visit(option)
    } else if (schema instanceof z.ZodEnum) {
      const values = schema.options.map(String)
      enums.push({ name: findName(schema, names), doc: readDoc(schema), values })
    } else if (schema instanceof z.ZodOptional) visit(schema.unwrap())
    else if (schema instanceof z.ZodArray) visit(schema.element)
  }

  visit(payload.payloadSchema)
  return { objects, unions, enums }
}

/** Returns the exported schemas by name. */
export function exportedSchemas(): [name: string, schema: z.ZodType][] {
  return Object.entries(payload).flatMap(([key, value]) =>
    value instanceof z.ZodType ? [[snakeCase(key.replace(/Schema$/, '')), value]] : [],
  )
}

function readField(name: string, schema: z.ZodType, names: Map<z.ZodType, string>): Field {
  const required = !(schema instanceof z.ZodOptional)
  const type = required ? schema : (schema.unwrap() as z.ZodType)
  const field = { name, required, doc: schema.description ?? readDoc(type) }
  if (type instanceof z.ZodLiteral && name === 'type') {
    const values = [...type.values].map(String)
    return { ...field, doc: 'The type of the component.', kind: 'type', values }
  }
  if (type instanceof z.ZodLiteral && type.values.size === 1 && typeof type.value === 'string') {
    return { ...field, kind: 'enum', values: [type.value] }
  }
  if (type instanceof z.ZodEnum) return { ...field, kind: 'enum', ...readEnum(type, names) }
  if (type instanceof z.ZodObject) {
    return { ...field, kind: 'object', object: findName(type, names) }
  }
  if (type instanceof z.ZodArray && !hasChecks(type)) {
    const { element } = type
    if (element instanceof z.ZodEnum) {
      return { ...field, kind: 'words', ...readEnum(element, names) }
    }
    if (element instanceof z.ZodString && !hasChecks(element)) return { ...field, kind: 'words' }
    if (element instanceof z.ZodObject || element instanceof z.ZodDiscriminatedUnion) {
      return { ...field, kind: 'array', items: findName(element, names) }
    }
  }
  const stringKind = payload.STRING_KINDS.get(type)?.kind
  if (stringKind !== undefined) return { ...field, kind: stringKind }
  if (type instanceof z.ZodString && !hasChecks(type)) return { ...field, kind: 'string' }
  if (type instanceof z.ZodNumber && !hasChecks(type)) return { ...field, kind: 'number' }
  if (type instanceof z.ZodBoolean) return { ...field, kind: 'boolean' }
  throw new TypeError(
    `${name}: the generator does not know this type or its checks. Add a kind to src/runtime/contract/field-spec.ts.`,
  )
}

/** Returns whether a schema is more than a type, such as `z.email()` or `z.number().min(0)`. */
function hasChecks({ def }: z.ZodString | z.ZodNumber | z.ZodArray): boolean {
  return 'format' in def || (def.checks ?? []).length > 0
}

function readEnum(type: z.ZodEnum, names: Map<z.ZodType, string>) {
  return { values: type.options.map(String), enumName: findName(type, names) }
}

function findName(schema: unknown, names: Map<z.ZodType, string>): string {
  const name = names.get(schema as z.ZodType)
  if (name === undefined) throw new TypeError('Export every schema of the payload.')
  return name
}

function readDoc(schema: z.ZodType): string {
  return schema.description ?? ''
}

/** `badgeItem` → `badge_item` */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `badge_item` → `BadgeItem` */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
