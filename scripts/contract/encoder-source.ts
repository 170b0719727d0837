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
    objects.flatMap(({ fields }) => fields.flatMap(({ items }) => items ?? [])),
  )
  const functions = [
    ...objects.map((object) => objectFunction(object, targets.has(object.name))),
    ...objects.flatMap((object) =>
      object.fields.filter(isWords).map((field) => wordFunction(object, field)),
    ),
    ...unions.map(unionFunction),
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
 * Validates the payload and writes its JSON in the same pass: one function per
 * object. Each reads a field once and writes what it has validated. An object
 * that is not valid is passed to \`reportObject()\`. Generated from \`payload.ts\`
 * by \`npm run generate\`.
 */
${importLine(['isDateTime'], '../date-time.ts', body)}
${importLine(REPORTERS, '../report.ts', body)}
import type { Validation } from '../validation.ts'
${importLine(HELPERS, '../write-values.ts', body)}
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
  'entriesJson',
  'type Fields',
  'findFields',
  'hasAny',
  'isObject',
  'isOneOf',
  'isPlain',
  'isUri',
  'jsonText',
  'listFields',
  'objectJson',
]

/** Returns an import of those names that the source uses, or an empty line. */
export function importLine(names: readonly string[], from: string, source: string): string {
  const used = names.filter((name) => new RegExp(`\\b${name.replace('type ', '')}\\b`).test(source))
  return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${from}'`
}

function objectFunction({ name, doc, fields }: PayloadObject, isEntry: boolean): string {
  const isTyped = fields.some(({ kind }) => kind === 'type')
  const hasRequired = fields.some(({ required }) => required)
  const writers = fields.flatMap((field) => {
    const writer = writerName(name, field)
    return writer === undefined ? [] : [`${field.name}: ${writer}`]
  })
  const constant = `FIELDS.${name}`
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
    ...readAndWrite(name, fields),
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
    .map(({ required }) => Number(required))
    .toReversed()
    .join('')}`
}

function readAndWrite(owner: string, fields: readonly Field[]): string[] {
  const read = fields.filter(({ kind }) => kind !== 'type')
  const required = read.filter(({ required }) => required).map(({ name }) => name)
  const optional = fields.flatMap(({ name, required }, index) =>
    required ? [] : [`const ${name} = own & ${2 ** index} ? object['${name}'] : undefined`],
  )
  const json = fields.map((field, index) => fieldJson(owner, field, fields.slice(0, index)))
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
  return field.required ? test : `(${field.name} === undefined || ${test})`
}

function fieldTest({ name, kind, values, enumName }: Field): string {
  switch (kind) {
    case 'type':
    case 'string':
      return `typeof ${name} === 'string'`
    case 'number':
      // JSON has neither NaN nor infinities.
      return `Number.isFinite(${name})`
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

/** The template of a field, with the comma in front of it. */
function fieldJson(owner: string, field: Field, before: readonly Field[]): string {
  const { name, required } = field
  const text = `"${name}":${valueJson(owner, field)}`
  if (before.length === 0) return required ? text : `\${${name} === undefined ? '' : \`${text}\`}`
  if (before.some((other) => other.required)) {
    return required ? `,${text}` : `\${${name} === undefined ? '' : \`,${text}\`}`
  }
  const isFirst = before.map((other) => `${other.name} === undefined`).join(' && ')
  const comma = `\${${isFirst} ? '' : ','}`
  return required ? `${comma}${text}` : `\${${name} === undefined ? '' : \`${comma}${text}\`}`
}

function valueJson(owner: string, field: Field): string {
  const { name, kind, values, enumName } = field
  switch (kind) {
    case 'type':
      return `"${values?.[0]}"`
    case 'string':
      return `"\${jsonText(${name})}"`
    case 'number':
    case 'boolean':
      return `\${${name}}`
    case 'enum':
      return enumName === undefined ? `"${values?.[0]}"` : `"\${${name}}"`
    case 'link':
    case 'icon':
    case 'date_time':
      // JSON escapes no character of a URI or a date-time.
      return `"\${${name}}"`
    case 'object':
      return `\${objectJson(validation, '${name}', ${name}, ${writerName(owner, field)})}`
    case 'array':
    case 'words':
      return `[\${entriesJson(validation, '${name}', ${name}, ${writerName(owner, field)})}]`
    default:
      return kind satisfies never
  }
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
  return `/** An entry of \`${name}\`. */
function ${writerName(owner, field)}(entry: unknown, validation: Validation): string {
if (!validation.countItem()) return ''
if (${test}) return \`"\${jsonText(entry)}"\`
return reportEntry(validation, '${name}', PAYLOAD_OBJECTS.${owner}.${name}, entry)
}
`
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
function writerName(owner: string, { kind, name, object, items }: Field): string | undefined {
  const target = kind === 'words' ? `${owner}_${name}` : (object ?? items)
  return target === undefined ? undefined : `write${pascalCase(target)}`
}
