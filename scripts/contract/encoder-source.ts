import {
  type ComponentUnion,
  type Field,
  type PayloadModel,
  type PayloadObject,
  pascalCase,
} from './payload-model.ts'
import { enumConstant, typesConstant } from './vocabulary-source.ts'

/** Returns the source of `src/contract/generated/encode.ts`. */
export function renderEncoder({ objects, unions, enums }: PayloadModel): string {
  const targets = new Set(
    objects.flatMap(({ fields }) =>
      fields.flatMap(({ kind, target }) => (kind === 'array' && target ? [target] : [])),
    ),
  )
  const functions = [
    ...objects.map((object) => objectFunction(object, targets.has(object.name))),
    ...unions.map(unionFunction),
  ]
  const constants = [
    ...enums.map(({ name }) => enumConstant(name)),
    ...unions.map(({ name }) => typesConstant(name)),
    'PAYLOAD_OBJECTS',
  ]
  return `/**
 * Validates the payload and writes its JSON in the same pass: one function per
 * object. Each reads a field once and writes what it has validated. An object
 * that is not valid is passed to \`reportObject()\`. Generated from \`payload.ts\`
 * by \`npm run generate\`.
 */
import { isDateTime } from '../date-time.ts'
import {
  reportNotObject,
  reportObject,
  reportUnknownType,
  reportUnreadable,
} from '../report.ts'
import type { Validation } from '../validation.ts'
import {
  entriesJson,
  type Fields,
  findFields,
  hasAny,
  isObject,
  isOneOf,
  isPlain,
  isUri,
  jsonText,
  objectJson,
} from '../write-values.ts'
import { ${constants.join(', ')} } from './vocabulary.ts'

/** The fields of each object, in the order of the contract's tables. */
${objects.map(fieldsLine).join('\n')}

${functions.join('\n')}`
}

/** \`badge_item\` → \`BADGE_ITEM\` */
function fieldsConstant(name: string): string {
  return name.toUpperCase()
}

function fieldsLine({ name }: PayloadObject): string {
  return `const ${fieldsConstant(name)} = Object.keys(PAYLOAD_OBJECTS.${name})`
}

function objectFunction({ name, doc, fields }: PayloadObject, isEntry: boolean): string {
  const isTyped = fields.some(({ kind }) => kind === 'type')
  const hasRequired = fields.some(({ isRequired }) => isRequired)
  const nested = fields.filter(({ kind }) => kind === 'object' || kind === 'array')
  const writers = nested.map((field) => `${field.name}: ${writerName(field)}`)
  const constant = fieldsConstant(name)
  const noFields = `if (!hasAny(object, ${constant})) return reportObject(validation, '${name}', object, [])`
  const lines = [
    ...(isEntry
      ? [
          "if (!validation.countItem()) return ''",
          `if (!isObject(object)) return reportNotObject(validation, '${name}', object)`,
        ]
      : []),
    ...(isTyped || !hasRequired ? [] : [noFields]),
    'const names = Object.keys(object)',
    `const own = findFields(names, ${constant}, ${requiredBits(fields)}, validation)`,
    `if (${hasRequired ? 'own !== -1' : 'own > 0 || (own === 0 && isPlain(object))'}) {`,
    ...readAndWrite(fields),
    '}',
    `return reportObject(validation, '${name}', object, names${writers.length === 0 ? '' : `, { ${writers.join(', ')} }`})`,
  ]
  const parameter = `object: ${isEntry ? 'unknown' : 'Fields'}`
  const visibility = isTyped || isEntry ? '' : 'export '
  return `/** ${doc} */
${visibility}function write${pascalCase(name)}(${parameter}, validation: Validation): string {
${lines.join('\n')}
}
`
}

/** A bit for each field, the first one lowest. */
function requiredBits(fields: readonly Field[]): string {
  return `0b${fields
    .map(({ isRequired }) => Number(isRequired))
    .toReversed()
    .join('')}`
}

function readAndWrite(fields: readonly Field[]): string[] {
  const read = fields.filter(({ kind }) => kind !== 'type')
  const required = read.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const optional = fields.flatMap(({ name, isRequired }, index) =>
    isRequired ? [] : [`const ${name} = own & ${2 ** index} ? object['${name}'] : undefined`],
  )
  const json = fields.map((field, index) => fieldJson(field, fields.slice(0, index)))
  const writing = `return \`{${json.join('')}}\``
  return [
    ...(required.length > 0 ? [`const { ${required.join(', ')} } = object`] : []),
    ...optional,
    ...(read.length > 0 ? [`if (${read.map(condition).join(' && ')})`] : []),
    writing,
  ]
}

function condition(field: Field): string {
  const test = fieldTest(field)
  return field.isRequired ? test : `(${field.name} === undefined || ${test})`
}

function fieldTest({ name, kind, values, enumName }: Field): string {
  switch (kind) {
    case 'type':
    case 'string':
      return `typeof ${name} === 'string'`
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
      return `Array.isArray(${name})`
    default:
      return kind satisfies never
  }
}

/** The template of a field, with the comma in front of it. */
function fieldJson(field: Field, before: readonly Field[]): string {
  const { name, isRequired } = field
  const text = `"${name}":${valueJson(field)}`
  if (before.length === 0) return isRequired ? text : `\${${name} === undefined ? '' : \`${text}\`}`
  if (before.some((other) => other.isRequired)) {
    return isRequired ? `,${text}` : `\${${name} === undefined ? '' : \`,${text}\`}`
  }
  const isFirst = before.map((other) => `${other.name} === undefined`).join(' && ')
  const comma = `\${${isFirst} ? '' : ','}`
  return isRequired ? `${comma}${text}` : `\${${name} === undefined ? '' : \`${comma}${text}\`}`
}

function valueJson(field: Field): string {
  const { name, kind, values, enumName } = field
  switch (kind) {
    case 'type':
      return `"${values?.[0]}"`
    case 'string':
      return `"\${jsonText(${name})}"`
    case 'enum':
      return enumName === undefined ? `"${values?.[0]}"` : `"\${${name}}"`
    case 'link':
    case 'icon':
    case 'date_time':
      // JSON escapes no character of a URI or a date-time.
      return `"\${${name}}"`
    case 'object':
      return `\${objectJson(validation, '${name}', ${name}, ${writerName(field)})}`
    case 'array':
      return `[\${entriesJson(validation, '${name}', ${name}, ${writerName(field)})}]`
    default:
      return kind satisfies never
  }
}

function unionFunction({ name, doc, members }: ComponentUnion): string {
  const cases = members.map(
    (member) => `case '${member}':\nreturn write${pascalCase(member)}(component, validation)`,
  )
  return `/** ${doc} */
export function write${pascalCase(name)}(component: unknown, validation: Validation): string {
if (!validation.countComponent()) return ''
try {
if (!isObject(component)) return reportNotObject(validation, 'component', component)
const { type } = component
switch (type) {
${cases.join('\n')}
default:
return reportUnknownType(validation, component, type, ${typesConstant(name)})
}
} catch {
return reportUnreadable(validation)
}
}
`
}

/** The function that writes the object, or each entry of the array, in a field. */
function writerName({ target = '' }: Field): string {
  return `write${pascalCase(target)}`
}
