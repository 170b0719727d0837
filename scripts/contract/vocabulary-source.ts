import { type Field, type PayloadModel, pascalCase } from './payload-model.ts'

/** Returns the source of `src/runtime/contract/generated/vocabulary.ts`. */
export function renderVocabulary({ objects, unions, enums }: PayloadModel): string {
  // A union that ends in another one comes after it.
  const bySize = unions.toSorted((a, b) => a.members.length - b.members.length)
  const lists = [
    ...bySize.map(({ name, members }) => {
      const doc = `The values of \`type\` in a {@link ${pascalCase(name)}}.`
      return [typesConstant(name), doc, listTypes(members)] as const
    }),
    ...enums.map(({ name, values }) => {
      const doc = `The values of a {@link ${pascalCase(name)}}.`
      return [enumConstant(name), doc, JSON.stringify(values)] as const
    }),
  ]
  const types = enums.map(({ name, doc }) =>
    [
      `/** ${doc} */`,
      `export type ${pascalCase(name)} = (typeof ${enumConstant(name)})[number]`,
    ].join('\n'),
  )
  return `${HEAD}
${lists.map(([name, doc, list]) => `/** ${doc} */\nexport const ${name} = ${list} as const\n`).join('\n')}
${types.join('\n')}

/** Each object of the payload and its fields, in the order of the contract's tables. */
export const PAYLOAD_OBJECTS = {
${objects.map(({ name, fields }) => `  ${name}: {\n${fields.map(fieldSpec).join('')}  },\n`).join('')}} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldSpec>>>>

/** The name of an object of the payload. */
export type PayloadObject = keyof typeof PAYLOAD_OBJECTS
`

  function listTypes(members: readonly string[]): string {
    const inner = unions.findLast(
      (union) =>
        union.members.length < members.length &&
        union.members.join() === members.slice(-union.members.length).join(),
    )
    if (inner === undefined) return JSON.stringify(collectTypes(members))
    const own = collectTypes(members.slice(0, -inner.members.length))
    return `[${own.map((type) => JSON.stringify(type)).join(', ')}, ...${typesConstant(inner.name)}]`
  }

  function collectTypes(members: readonly string[]): readonly string[] {
    return members.flatMap((member) => {
      const { fields = [] } = objects.find(({ name }) => name === member) ?? {}
      return fields.find(({ kind }) => kind === 'type')?.values ?? []
    })
  }

  function fieldSpec({ name, kind, required, values, enumName, object, items }: Field): string {
    const list = enumName === undefined ? JSON.stringify(values) : enumConstant(enumName)
    const parts = [`kind: '${kind}'`, `required: ${required}`]
    // The type of a component is its name.
    if (values !== undefined && kind !== 'type') parts.push(`values: ${list}`)
    if (object !== undefined) parts.push(`object: '${object}'`)
    if (items !== undefined) parts.push(`items: '${items}'`)
    return `    ${name}: { ${parts.join(', ')} },\n`
  }
}

/** `card_child` → `CARD_CHILD_TYPES` */
export function typesConstant(union: string): string {
  return `${union.toUpperCase()}_TYPES`
}

/** `badge_color` → `BADGE_COLORS` */
export function enumConstant(name: string): string {
  return `${name.toUpperCase()}S`
}

const HEAD = `/**
 * The names of the payload: components, fields and closed lists of values.
 * Generated from \`payload.ts\` by \`npm run generate\`.
 */
import type { FieldSpec } from '../field-spec.ts'
`
