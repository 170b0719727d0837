import { type Field, type PayloadModel, pascalCase } from './payload-model.ts'
import { enumConstant } from './vocabulary-source.ts'

/**
 * Returns the source of `src/runtime/contract/generated/types.ts`. The interfaces are
 * generated, because inferred zod types result in long compiler messages and have
 * no docstrings of fields.
 */
export function renderTypes({ objects, unions, enums }: PayloadModel): string {
  const constants = enums.map(({ name }) => enumConstant(name))
  const imports = `import type { ${constants.join(', ')} } from './vocabulary.ts'`
  const interfaces = objects.map(
    ({ name, doc, fields }) =>
      `/** ${doc} */\nexport interface ${pascalCase(name)} {\n${fields.map(property).join('')}}\n`,
  )
  const aliases = unions.map(
    ({ name, doc, members }) =>
      `/** ${doc} */\nexport type ${pascalCase(name)} = ${members.map(pascalCase).join(' | ')}\n`,
  )
  return `/**
 * The types of the payload. Generated from \`payload.ts\` by \`npm run generate\`.
 */
${imports}

${[...interfaces, ...aliases].join('\n')}`
}

function property(field: Field): string {
  const optional = field.required ? '' : '?'
  const absent = field.required ? '' : ' | undefined'
  return `  /** ${field.doc} */\n  ${field.name}${optional}: ${renderFieldType(field)}${absent}\n`
}

function renderFieldType(field: Field): string {
  const { kind, enumName, values, object = '', items = '' } = field
  switch (kind) {
    case 'type':
    case 'enum':
      // The list is used instead of its alias, so that the compiler's messages show the values.
      return enumName === undefined
        ? (values ?? []).map((value) => `'${value}'`).join(' | ')
        : `(typeof ${enumConstant(enumName)})[number]`
    case 'string':
    case 'link':
    case 'icon':
    case 'date_time':
      return 'string'
    case 'number':
    case 'boolean':
      return kind
    case 'words':
      return `${values === undefined ? 'string' : renderFieldType({ ...field, kind: 'enum' })}[]`
    case 'object':
      return pascalCase(object)
    case 'array':
      return `${pascalCase(items)}[]`
    default:
      return kind satisfies never
  }
}
