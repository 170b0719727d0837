import { type Field, type PayloadModel, pascalCase } from './payload-model.ts'
import { enumConstant } from './vocabulary-source.ts'

/**
 * Returns the source of `src/contract/generated/types.ts`. The interfaces are
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
  const optional = field.isRequired ? '' : '?'
  const absent = field.isRequired ? '' : ' | undefined'
  return `  /** ${field.doc} */\n  ${field.name}${optional}: ${renderFieldType(field)}${absent}\n`
}

function renderFieldType({ kind, values = [], enumName, target = '' }: Field): string {
  // The list is used instead of its alias, so that the compiler's messages show the values.
  if (enumName !== undefined) return `(typeof ${enumConstant(enumName)})[number]`
  if (kind === 'type' || kind === 'enum') return values.map((value) => `'${value}'`).join(' | ')
  if (kind === 'object') return pascalCase(target)
  return kind === 'array' ? `${pascalCase(target)}[]` : 'string'
}
