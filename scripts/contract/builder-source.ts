import { importLine } from './copier-source.ts'
import { returnObject } from './object-source.ts'
import { type Field, type PayloadModel, type PayloadObject, pascalCase } from './payload-model.ts'
import { enumConstant, typesConstant } from './vocabulary-source.ts'

/**
 * Returns the source of `src/runtime/contract/generated/build.ts`. An object without
 * fields, such as a divider, needs no function.
 */
export function renderBuilders(model: PayloadModel): string {
  const unions = new Set(model.unions.map(({ name }) => name))
  const built = model.objects.filter(({ fields }) => fields.some((field) => !isSet(field)))
  const body = built.map((object) => buildFunction(object, unions)).join('\n')
  const constants = [
    ...model.enums.map(({ name }) => enumConstant(name)),
    ...model.unions.map(({ name }) => typesConstant(name)),
  ]
  return `/**
 * Checks the fields of a builder and copies them, in the order of the contract's
 * tables: one function per object. Each reads a field once, and returns
 * \`undefined\` if a field is invalid, missing or unknown. Generated from
 * \`payload.ts\` by \`npm run generate\`.
 */
${importLine(HELPERS, '../build-values.ts', body)}
${importLine(['isDateTime'], '../date-time.ts', body)}
${importLine(['ICON_URI_SCHEMES'], '../uri.ts', body)}
${importLine(['SCHEMA_VERSION'], '../version.ts', body)}
${importLine(['discard', 'isObject', 'isOneOf', 'isUri'], '../copy-values.ts', body)}
import type * as types from './types.ts'
${importLine(constants, './vocabulary.ts', body)}

${body}`
}

const HELPERS = ['buildEntries', 'copyWords', 'type Flatten', 'toDateTime']

/** The fields that a builder sets: the type of a component, and the version of the payload. */
function isSet({ kind, name }: Field): boolean {
  return kind === 'type' || name === 'version'
}

function buildFunction({ name, doc, fields }: PayloadObject, unions: ReadonlySet<string>): string {
  const given = fields.filter((field) => !isSet(field))
  const names = given.map((field) => field.name)
  const flattened = given.some(({ items = '' }) => unions.has(items))
  const tests = given.map(failure).filter((test) => test !== undefined)
  const copies = given.flatMap((field) => {
    const copy = copyExpression(field, unions)
    if (copy === undefined) return []
    const expression = field.required ? copy : `${field.name} === undefined ? undefined : ${copy}`
    return [{ ...field, expression, copy: `${field.name}Copy` }]
  })
  const copyFailures = copies.map(({ name: field, copy, required }) =>
    required ? `${copy} === undefined` : `(${field} !== undefined && ${copy} === undefined)`,
  )
  const type = pascalCase(name)
  const parameters = `fields: unknown${flattened ? ', flatten: Flatten' : ''}`
  const discard = `discard(${names.join(', ')})`
  const lines = [
    `/** ${doc} */`,
    `export function build${type}(${parameters}): types.${type} | undefined {`,
    'if (!isObject(fields)) return undefined',
    `const { ${names.join(', ')} } = fields`,
    ...given
      .filter(({ kind }) => kind === 'date_time')
      .map((field) => `const ${field.name}Text = toDateTime(${field.name})`),
    ...rejectIf(tests, discard),
    ...copies.map(({ copy, expression }) => `const ${copy} = ${expression}`),
    ...rejectIf(copyFailures, discard),
    // Last, because an object may have millions of names.
    'for (const name in fields) {',
    ...rejectIf([
      `${names.map((each) => `name !== '${each}'`).join(' && ')} && Object.hasOwn(fields, name)`,
    ]),
    '}',
    ...returnObject(name, fields, value),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function rejectIf(tests: readonly string[], result = 'undefined'): string[] {
  return tests.length === 0 ? [] : [`if (${tests.join(' || ')}) return ${result}`]
}

/** The condition under which a field is invalid; \`undefined\` if its copy decides. */
function failure(field: Field): string | undefined {
  const { name, kind, required, values, enumName } = field
  const absent = required ? '' : `${name} !== undefined && `
  const test = (condition: string) => (required ? condition : `(${absent}${condition})`)
  switch (kind) {
    case 'type':
    case 'object':
    case 'array':
    case 'words':
      return undefined
    case 'string':
    case 'boolean':
      return test(`typeof ${name} !== '${kind}'`)
    case 'number':
      return test(
        required
          ? `typeof ${name} !== 'number' || !Number.isFinite(${name})`
          : `(typeof ${name} !== 'number' || !Number.isFinite(${name}))`,
      )
    case 'link':
      return test(`!isUri(${name}, 'any')`)
    case 'icon':
      return test(`!isUri(${name}, ICON_URI_SCHEMES)`)
    case 'date_time':
      return test(`!isDateTime(${name}Text)`)
    case 'enum':
      return enumName === undefined
        ? `(${name} !== undefined && ${name} !== '${values?.[0]}')`
        : test(`!isOneOf(${name}, ${enumConstant(enumName)})`)
    default:
      return kind satisfies never
  }
}

/** The copy of a value that is not a primitive. It is \`undefined\` if the value is invalid. */
function copyExpression(
  { name, kind, object = '', items = '', enumName }: Field,
  unions: ReadonlySet<string>,
): string | undefined {
  if (kind === 'object') return `build${pascalCase(object)}(${name})`
  if (kind === 'words') {
    return enumName === undefined
      ? `copyWords(${name})`
      : `copyWords(${name}, ${enumConstant(enumName)})`
  }
  if (kind !== 'array') return undefined
  return unions.has(items)
    ? `flatten(${name}, ${typesConstant(items)})`
    : `buildEntries(${name}, build${pascalCase(items)})`
}

function value({ name, kind, values, enumName, required }: Field): string {
  switch (kind) {
    case 'type':
      return `'${values?.[0]}'`
    case 'enum':
      // The only value of a list is its default.
      return enumName === undefined && required ? `'${values?.[0]}'` : name
    case 'date_time':
      return `${name}Text`
    case 'object':
    case 'array':
    case 'words':
      return `${name}Copy`
    case 'string':
      return name === 'version' ? 'SCHEMA_VERSION' : name
    case 'number':
    case 'boolean':
    case 'link':
    case 'icon':
      return name
    default:
      return kind satisfies never
  }
}
