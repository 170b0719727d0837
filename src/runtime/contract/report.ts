import { closestMatch } from '../internal/closest-match.ts'
import { isDate, isThenable, isUrl } from '../internal/hostile-values.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { hasSettle } from '../internal/section-mark.ts'
import { isDateTime } from './date-time.ts'
import * as explain from './explain.ts'
import type { FieldKind, FieldSpec } from './field-spec.ts'
import { COMPONENT_TYPES, type PayloadObject, PAYLOAD_OBJECTS } from './generated/vocabulary.ts'
import type { PayloadIssue, PayloadIssueCode } from './issues.ts'
import { checkUri } from './uri.ts'
import type { Validation } from './validation.ts'
import {
  copyEntries,
  type EntryCopier,
  type Fields,
  isObject,
  isPlain,
  MAX_NAMES,
  copyObject,
  type ObjectCopier,
} from './copy-values.ts'

/**
 * The generated functions call these functions with invalid values. Each one adds
 * an issue and returns `undefined` instead of a copy.
 */

const isString = (value: unknown): boolean => typeof value === 'string'

/** The type that each kind of field expects, in words, and whether a value has it. */
const TYPES = {
  type: ['a string', isString],
  string: ['a string', isString],
  number: ['a number', Number.isFinite],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  link: ['a URI', isString],
  icon: ['a URI', isString],
  date_time: ['an RFC 3339 date-time', isString],
  enum: ['a string', isString],
  words: ['an array of strings', Array.isArray],
  object: ['an object', isObject],
  array: ['an array', Array.isArray],
} as const satisfies Readonly<Record<FieldKind, readonly [string, (value: unknown) => boolean]>>

/** The fix for `null` in a required field. */
const NULL_FIXES: { readonly [Kind in FieldKind]?: string } = {
  string: "Use '' for an empty value.",
  link: 'Omit the component if there is no URL.',
  date_time: 'Omit the component if there is no date.',
}

const USE_FIELDS = 'Use an object with the fields of the contract.'

/** The functions that copy the object, or each entry of the array, in a field. */
export type FieldCopiers = Readonly<Record<string, ObjectCopier | EntryCopier>>

/**
 * Reports all problems of an object, in the order of its table. Buttons of actions
 * are copied by the actions, because they have no link yet.
 *
 * @param names the names of its fields; empty if none is in the table, because
 * there may be millions
 */
export function reportObject<T>(
  validation: Validation,
  owner: PayloadObject,
  object: Fields,
  names: readonly string[],
  copiers: FieldCopiers = {},
): T | undefined {
  const copied = validation.actions?.copy(object, validation)
  if (copied !== undefined) return (copied ?? undefined) as T | undefined
  if (names.length > MAX_NAMES) {
    return validation.report('unknown_field', '', 'has more than 10,000 fields', USE_FIELDS)
  }
  const before = validation.issueCount
  const table = listFields(owner)
  const fields = Object.keys(table)
  if (!fields.some((field) => names.includes(field))) {
    if (reportPromise(validation, '', object)) return undefined
    const isEmptyAllowed = !fields.some((field) => table[field]!.required)
    if (isEmptyAllowed && !isPlain(object)) {
      const type = explain.describeType(object)
      const message = `must be a plain object, got ${type === 'an object' ? 'a class instance' : type}`
      return validation.report('invalid_type', '', message, 'Use a plain object.')
    }
  }
  for (const field of fields) {
    const spec = table[field]!
    const value = names.includes(field) ? object[field] : undefined
    if (value !== undefined) reportValue(validation, field, field, spec, value, copiers[field])
    else if (spec.required) reportMissing(validation, field, spec)
    // Without a type, it is unknown which other fields the component needs.
    if (value === undefined && spec.kind === 'type') return undefined
  }
  const unknownNames = names.filter((name) => !Object.hasOwn(table, name))
  reportUnknownFields(validation, owner, unknownNames)
  // If there is no issue now, a getter or proxy returned another value this time.
  return validation.issueCount === before ? reportUnreadable(validation) : undefined
}

function reportMissing(validation: Validation, field: string, spec: FieldSpec): void {
  const sign = spec.values?.length === 1 ? ':' : ','
  const fix = `Add "${field}"${sign} ${describeField(spec)}.`
  validation.report('missing_field', field, 'is missing', fix)
}

/**
 * Reports an invalid value, or its invalid parts.
 *
 * @param path of the value: the field, or empty for an entry of the field
 */
function reportValue(
  validation: Validation,
  path: string,
  field: string,
  spec: FieldSpec,
  value: unknown,
  copy?: FieldCopiers[string],
): void {
  const [, hasType] = TYPES[spec.kind]
  if (!hasType(value)) reportWrongType(validation, path, spec, value)
  else if (spec.kind === 'object')
    copyObject(validation, path, value as Fields, copy as ObjectCopier)
  else if (Array.isArray(value)) copyEntries(validation, path, value, copy as EntryCopier)
  else if (typeof value === 'string') reportString(validation, path, field, spec, value)
}

/**
 * Reports an invalid entry of a field of the kind `words`.
 *
 * @public called by the generated code of such a field
 */
export function reportEntry(
  validation: Validation,
  field: string,
  { values }: FieldSpec,
  entry: unknown,
): undefined {
  const spec: FieldSpec =
    values === undefined
      ? { kind: 'string', required: true }
      : { kind: 'enum', required: true, values }
  reportValue(validation, '', field, spec, entry)
}

function reportWrongType(
  validation: Validation,
  field: string,
  spec: FieldSpec,
  value: unknown,
): void {
  if (reportPromise(validation, field, value)) return
  const expected = describeField(spec)
  const message = `must be ${expected}, got ${explain.describeType(value)}`
  validation.report('invalid_type', field, message, fixType(spec, expected, value))
}

function describeField({ kind, values }: FieldSpec): string {
  const isClosed = kind === 'type' || kind === 'enum'
  return isClosed && values !== undefined ? explain.listNames(values) : TYPES[kind][0]
}

function fixType({ kind, required, values }: FieldSpec, expected: string, value: unknown): string {
  if (value === null && !required) return 'Omit the field.'
  const type = typeof value
  if (TYPES[kind][1] === isString && values === undefined) {
    if (isDate(value)) return 'Write value.toISOString().'
    if (isUrl(value)) return 'Write value.href.'
    if (/^[nb]/.test(type)) {
      if (kind !== 'date_time') return 'Write String(value).'
      if (type !== 'boolean') return explain.explainTimestamp(value)
    }
  }
  if (kind === 'number' && (type === 'string' || type === 'bigint')) return 'Write Number(value).'
  return (value === null ? NULL_FIXES[kind] : undefined) ?? `Use ${expected}.`
}

/** @param path of the value: the field, or empty for an entry of the field */
function reportString(
  validation: Validation,
  path: string,
  field: string,
  { kind, values = [] }: FieldSpec,
  value: string,
): void {
  if (kind === 'date_time' && !isDateTime(value)) {
    validation.report('invalid_date_time', path, ...explain.explainDateTime(value))
  } else if (kind === 'enum' && !values.includes(value)) {
    const message = `${explain.quoteName(value)} is not an allowed ${field.replaceAll('_', ' ')}`
    const code = enumCode(field as EnumField)
    validation.report(code, path, message, explain.suggestName(value, values))
  } else if (kind === 'link') reportUri(validation, path, value, validation.linkSchemes)
  else if (kind === 'icon') reportUri(validation, path, value, validation.iconSchemes)
}

type EnumFieldOf<Of> = {
  [Name in keyof Of]: Of[Name] extends { kind: 'enum' | 'words'; values: unknown } ? Name : never
}[keyof Of]

/** The names of the fields with a closed list of values, except for `type`. */
type EnumField = {
  [Of in PayloadObject]: EnumFieldOf<(typeof PAYLOAD_OBJECTS)[Of]>
}[PayloadObject]

/** Does not compile if a closed list has no issue code. */
function enumCode(field: EnumField): PayloadIssueCode {
  return `invalid_${field}` as const
}

function reportUri(
  validation: Validation,
  field: string,
  value: string,
  schemes: readonly string[] | 'any',
): void {
  const problem = checkUri(value, schemes)
  if (problem === 'script') {
    validation.report('script_uri', field, 'is a script or data URI', 'Use an https URL.')
  } else if (problem === 'scheme') {
    const message = `must have the URI scheme ${explain.joinNames([schemes].flat())}`
    validation.report('invalid_uri_scheme', field, message, 'Use an allowed scheme.')
  } else if (problem !== undefined) {
    validation.report('invalid_uri', field, ...explain.explainUri(value, problem))
  }
}

/** Reports an entry of an array, or the payload itself, that is not an object. */
export function reportNotObject(
  validation: Validation,
  owner: PayloadObject | 'component',
  value: unknown,
): undefined {
  if (reportPromise(validation, '', value)) return undefined
  const code = owner === 'component' ? 'invalid_component' : 'invalid_type'
  const message = `must be an object, got ${explain.describeType(value)}`
  return validation.report(code, '', message, USE_FIELDS)
}

function reportPromise(validation: Validation, path: string, value: unknown): boolean {
  if (!isThenable(value)) return false
  consumeRejections(value)
  const { code, message, fix } = createPromiseIssue(path)
  validation.report(code, path, message, fix)
  return true
}

/** Creates the issue of a promise where its value is expected. */
export function createPromiseIssue(path: string): PayloadIssue {
  const fix = 'Write await before it.'
  return { path, code: 'unawaited_promise', message: 'is a promise: await it', fix }
}

/** Reports a component whose `type` is missing, unknown or not allowed in its place. */
export function reportUnknownType(
  validation: Validation,
  component: object,
  type: unknown,
  allowed: readonly string[],
): undefined {
  const spec: FieldSpec = { kind: 'type', required: true, values: allowed }
  if (hasSettle(component)) {
    const message = 'is a section, which renders as a card'
    const fix = 'Return it from fetchData next to the cards.'
    validation.report('invalid_component', '', message, fix)
  } else if (type === undefined) {
    if (!reportPromise(validation, '', component)) reportMissing(validation, 'type', spec)
  } else if (typeof type !== 'string') {
    reportWrongType(validation, 'type', spec, type)
  } else if (COMPONENT_TYPES.includes(type as 'card')) {
    const fix = 'Move it to the top level, or add its components here instead.'
    validation.report('nested_card', 'type', 'is a card, which a card cannot contain', fix)
  } else {
    const message = `${explain.quoteName(type)} is not a component type`
    validation.report('unknown_component', 'type', message, explain.suggestName(type, allowed))
  }
}

/** Reports fields that the contract's table does not have. */
function reportUnknownFields(
  validation: Validation,
  owner: PayloadObject,
  names: readonly string[],
): void {
  const code = owner === 'divider' ? 'divider_field' : 'unknown_field'
  if (validation.ignoresUnknownFields && code === 'unknown_field') return
  const article = /^(?:header|payload)$/.test(owner) ? 'the' : 'a'
  // There may be thousands of unknown fields, so the others are only counted.
  validation.omit(names.length - validation.room)
  for (const name of names.slice(0, validation.room)) {
    const message = `${article} ${owner.replaceAll('_', ' ')} has no field ${explain.quoteName(name)}`
    validation.report(code, explain.fieldPath(name), message, fixUnknownField(owner, name))
  }
}

function fixUnknownField(owner: PayloadObject, name: string): string {
  const fields = listFields(owner)
  for (const [parent, { object }] of Object.entries(fields)) {
    if (object !== undefined && Object.hasOwn(listFields(object as PayloadObject), name)) {
      return `Move it into "${parent}".`
    }
  }
  const known = Object.keys(fields)
  const suggestion = closestMatch(name, known)
  if (suggestion !== undefined) return `Rename it to "${suggestion}".`
  return known.length === 1 ? 'Remove it.' : `Remove it (the fields are ${known.join(', ')}).`
}

function listFields(owner: PayloadObject): Readonly<Record<string, FieldSpec>> {
  return PAYLOAD_OBJECTS[owner]
}

/** Reports a value whose fields cannot be read, or differ each time. */
export function reportUnreadable(validation: Validation): undefined {
  const message = 'cannot be read: a getter or proxy threw, or the string is too long'
  return validation.report('unreadable', '', message, 'Return plain objects.')
}
