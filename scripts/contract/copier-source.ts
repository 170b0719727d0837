import { returnObject } from './object-source.ts'
import {
  type ComponentUnion,
  type Field,
  type PayloadModel,
  type PayloadObject,
  pascalCase,
} from './payload-model.ts'
import { enumConstant, typesConstant } from './vocabulary-source.ts'

/** Returns the source of `src/runtime/contract/generated/copy.ts`. */
export function renderCopiers({ objects, unions, enums }: PayloadModel): string {
  const targets = new Set(
    objects.flatMap(({ fields }) => fields.flatMap(({ items }) => items ?? [])),
  )
  const functions = [
    ...objects.map((object) => objectFunction(object, targets.has(object.name))),
    ...objects.flatMap((object) =>
      object.fields.filter(isWords).map((field) => wordFunction(object, field)),
    ),
    unionFunctions(unions),
  ]
  const body = `/** The fields of each object, in the order of the contract's tables. */
const FIELDS = listFields(PAYLOAD_OBJECTS)

${functions.join('\n')}`
  const constants = [
    ...enums.map(({ name }) => enumConstant(name)),
    ...unions.map(({ name }) => typesConstant(name)),
    'PAYLOAD_OBJECTS',
  ]
  return `/**
 * Validates the payload and copies it in the same pass: one function per object.
 * Each reads a field once and copies what it has validated, in the order of the
 * contract's tables. An object that is not valid is passed to \`reportObject()\`.
 * Generated from \`payload.ts\` by \`npm run generate\`.
 */
${importLine(['isDateTime'], '../date-time.ts', body)}
${importLine(REPORTERS, '../report.ts', body)}
import type { Validation } from '../validation.ts'
${importLine(HELPERS, '../copy-values.ts', body)}
import type * as types from './types.ts'
${importLine(constants, './vocabulary.ts', body)}

${body}`
}

const REPORTERS = [
  'reportEntry',
  'reportNotObject',
  'reportObject',
  'reportUnknownType',
  'reportUnreadable',
]

const HELPERS = [
  'copyEntries',
  'copyObject',
  'discard',
  'type Fields',
  'findFields',
  'hasAny',
  'isObject',
  'isOneOf',
  'isPlain',
  'isUri',
  'listFields',
]

/** Returns an import of those names that the source uses, or an empty line. */
export function importLine(names: readonly string[], from: string, source: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(source))
  return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${from}'`
}

function objectFunction({ name, doc, fields }: PayloadObject, isEntry: boolean): string {
  const isTyped = fields.some(({ kind }) => kind === 'type')
  const hasRequired = fields.some(({ required }) => required)
  const copiers = fields.flatMap((field) => {
    const copier = copierName(name, field)
    return copier === undefined ? [] : [`${field.name}: ${copier}`]
  })
  const constant = `FIELDS.${name}`
  const noFields = `if (!hasAny(object, ${constant})) return reportObject(validation, '${name}', object, [])`
  const lines = [
    ...(isEntry
      ? [
          'if (!validation.countItem()) return undefined',
          `if (!isObject(object)) return reportNotObject(validation, '${name}', object)`,
        ]
      : []),
    ...(isTyped || !hasRequired ? [] : [noFields]),
    'const names = Object.keys(object)',
    `const own = findFields(names, ${constant}, ${requiredBits(fields)}, validation)`,
    `if (${hasRequired ? 'own !== -1' : 'own > 0 || (own === 0 && isPlain(object))'})`,
    ...block(readAndCopy(name, fields)),
    `return reportObject(validation, '${name}', object, names${copiers.length === 0 ? '' : `, { ${copiers.join(', ')} }`})`,
  ]
  const parameter = `object: ${isEntry ? 'unknown' : 'Fields'}`
  const visibility = isTyped || isEntry ? '' : 'export '
  const type = pascalCase(name)
  return `/** ${doc} */
${visibility}function copy${type}(${parameter}, validation: Validation): types.${type} | undefined {
${lines.join('\n')}
}
`
}

/** A bit for each field, the first one lowest. */
function requiredBits(fields: readonly Field[]): string {
  return `0b${fields
    .map(({ required }) => Number(required))
    .toReversed()
    .join('')}`
}

function readAndCopy(owner: string, fields: readonly Field[]): string[] {
  const read = fields.filter(({ kind }) => kind !== 'type')
  const requiredNames = read.filter(({ required }) => required).map(({ name }) => name)
  const optional = fields.flatMap(({ name, required }, index) =>
    required ? [] : [`const ${name} = own & ${2 ** index} ? object['${name}'] : undefined`],
  )
  const copy = returnObject(owner, fields, (field) => copyExpression(owner, field))
  return [
    ...(requiredNames.length > 0 ? [`const { ${requiredNames.join(', ')} } = object`] : []),
    ...optional,
    ...(read.length > 0 ? [`if (${read.map(condition).join(' && ')})`] : []),
    ...block(copy),
    ...(read.length > 0 ? [`discard(${read.map(({ name }) => name).join(', ')})`] : []),
  ]
}

function block(statements: readonly string[]): readonly string[] {
  return statements.length === 1 ? statements : ['{', ...statements, '}']
}

function condition(field: Field): string {
  const test = fieldTest(field)
  return field.required ? test : `(${field.name} === undefined || ${test})`
}

function fieldTest({ name, kind, values, enumName }: Field): string {
  switch (kind) {
    case 'type':
    case 'string':
      return `typeof ${name} === 'string'`
    case 'number':
      // JSON has neither NaN nor infinities.
      return `typeof ${name} === 'number' && Number.isFinite(${name})`
    case 'boolean':
      return `typeof ${name} === 'boolean'`
    case 'link':
      return `isUri(${name}, validation.linkSchemes)`
    case 'icon':
      return `isUri(${name}, validation.iconSchemes)`
    case 'date_time':
      return `typeof ${name} === 'string' && isDateTime(${name})`
    case 'enum':
      return enumName === undefined
        ? `${name} === '${values?.[0]}'`
        : `isOneOf(${name}, ${enumConstant(enumName)})`
    case 'object':
      return `isObject(${name})`
    case 'array':
    case 'words':
      return `Array.isArray(${name})`
    default:
      return kind satisfies never
  }
}

function copyExpression(owner: string, field: Field): string {
  const { name, kind, values } = field
  if (kind === 'type') return `'${values?.[0]}'`
  const copier = copierName(owner, field)
  if (copier === undefined) return name
  const copy = kind === 'object' ? 'copyObject' : 'copyEntries'
  return `${copy}(validation, '${name}', ${name}, ${copier})`
}

function isWords({ kind }: Field): boolean {
  return kind === 'words'
}

function wordFunction({ name: owner }: PayloadObject, field: Field): string {
  const { name, enumName } = field
  const test =
    enumName === undefined
      ? "typeof entry === 'string'"
      : `isOneOf(entry, ${enumConstant(enumName)})`
  const type = enumName === undefined ? 'string' : `(typeof ${enumConstant(enumName)})[number]`
  return `/** An entry of \`${name}\`. */
function ${copierName(owner, field)}(entry: unknown, validation: Validation): ${type} | undefined {
if (!validation.countItem()) return undefined
if (${test}) return entry
return reportEntry(validation, '${name}', PAYLOAD_OBJECTS.${owner}.${name}, entry)
}
`
}

/** One function for all unions: they share most of their members. */
function unionFunctions(unions: readonly ComponentUnion[]): string {
  const members = [...new Set(unions.flatMap((union) => union.members))]
  const cases = members.map((member) => {
    const copy = `return copy${pascalCase(member)}(component, validation)`
    const isShared = unions.every((union) => union.members.includes(member))
    return `case '${member}':\n${isShared ? copy : `if (allowed.includes(type)) ${copy}\nbreak`}`
  })
  const types = unions.map(({ name }) => `types.${pascalCase(name)}`)
  const all = types.join(' | ')
  const functions = unions.map(({ name, doc, members: own }) => {
    const type = `types.${pascalCase(name)} | undefined`
    const assertion = own.length < members.length ? ` as ${type}` : ''
    return `/** ${doc} */
export function copy${pascalCase(name)}(component: unknown, validation: Validation): ${type} {
return copyAllowed(component, validation, ${typesConstant(name)})${assertion}
}
`
  })
  return `${functions.join('\n')}
/** A component of one of the types. */
function copyAllowed(component: unknown, validation: Validation, allowed: readonly string[]): ${all} | undefined {
if (!validation.countComponent()) return undefined
try {
if (!isObject(component)) return reportNotObject(validation, 'component', component)
const { type } = component
switch (type) {
${cases.join('\n')}
}
return reportUnknownType(validation, component, type, allowed)
} catch {
return reportUnreadable(validation)
}
}
`
}

/** The function that copies the object, or each entry of the array, in a field. */
function copierName(owner: string, { kind, name, object, items }: Field): string | undefined {
  const target = kind === 'words' ? `${owner}_${name}` : (object ?? items)
  return target === undefined ? undefined : `copy${pascalCase(target)}`
}
