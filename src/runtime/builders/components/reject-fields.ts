import { firstFields, toDateTime } from '../../contract/build-values.ts'
import { type Fields, isObject, copyEntries, type EntryCopier } from '../../contract/copy-values.ts'
import type { FieldSpec } from '../../contract/field-spec.ts'
import { copyCardChild, copyComponent, copyPayload } from '../../contract/generated/copy.ts'
import type { Component } from '../../contract/generated/types.ts'
import { PAYLOAD_OBJECTS } from '../../contract/generated/vocabulary.ts'
import { reportUnreadable } from '../../contract/report.ts'
import { Validation } from '../../contract/validation.ts'
import { SCHEMA_VERSION } from '../../contract/version.ts'
import { isArray, isDate, isThenable } from '../../internal/hostile-values.ts'
import { consumeRejections } from '../../internal/user-code.ts'
import { isAbsent, isPending, MAX_DEPTH, MAX_ITEMS } from './children.ts'
import { argumentIssue, throwInvalid } from './invalid-component-error.ts'

/**
 * Throws the issues of fields that a builder's generated check has rejected. The
 * contract's validation finds the exact problems and their fixes.
 *
 * @param name the name of the builder, because a minified function has lost its
 * own
 */
export function rejectFields(
  builder: Function,
  name: string,
  owner: Component['type'] | 'payload',
  fields: unknown,
): never {
  if (!isObject(fields) || isThenable(fields)) {
    const isList = owner === 'card' && isArray(fields)
    const message = 'expects one argument: an object with the fields'
    const fix = isList ? 'Write card({ components: […] }).' : 'Pass an object.'
    return throwInvalid(builder, name, [argumentIssue('', fields, message, fix)], fields)
  }
  const picked = pickFields(Object.keys(PAYLOAD_OBJECTS[owner]), fields)
  // Builders allow every scheme, because only the app knows which ones are allowed.
  const validation = new Validation({ uriSchemes: 'any' })
  try {
    reportFields(validation, owner, picked, fields)
  } catch {
    // An array may be a proxy that throws.
  }
  if (validation.issueCount === 0) reportUnreadable(validation)
  if (owner === 'payload') {
    // The components of a payload may be promises.
    consumeRejections(picked['components'])
    delete picked['components']
  }
  return throwInvalid(builder, name, validation.issues, picked)
}

function reportFields(
  validation: Validation,
  owner: Component['type'] | 'payload',
  picked: Record<string, unknown>,
  fields: object,
): void {
  const isPayload = owner === 'payload'
  const reserved = isPayload ? 'version' : 'type'
  const converted = { ...picked, [reserved]: isPayload ? SCHEMA_VERSION : owner }
  if (Object.hasOwn(fields, reserved)) {
    validation.report('unknown_field', reserved, 'is set by the builder', 'Remove it.')
  }
  const table: Readonly<Record<string, FieldSpec>> = PAYLOAD_OBJECTS[owner]
  for (const [field, { kind, required, values, items }] of Object.entries(table)) {
    const value = picked[field]
    if (kind === 'date_time' && isDate(value)) {
      converted[field] = toDateTime(value) || reportDate(validation, field, value)
    } else if (kind === 'enum' && required && values?.length === 1 && value === undefined) {
      converted[field] = values[0]
    } else if (items !== undefined && !(items in PAYLOAD_OBJECTS) && isArray(value)) {
      converted[field] = []
      const before = validation.issueCount
      createItemCheck(isPayload ? copyComponent : copyCardChild, isPayload)(value, validation)
      validation.locate(before, field)
    }
  }
  const { header } = picked
  // Validation accepts a header without a title (A1), but builders require one.
  if (isObject(header) && !isThenable(header) && header['title'] === undefined) {
    validation.report('missing_field', 'header.title', 'is missing', 'Add "title", a string.')
  }
  const check = isPayload ? copyPayload : copyComponent
  check(converted, validation)
}

/** Reports an invalid date, and returns a valid one in its place. */
function reportDate(validation: Validation, field: string, value: Date): string {
  const message = Number.isNaN(value.getTime())
    ? 'is an invalid Date'
    : 'has a year outside 0000–9999, which RFC 3339 does not support'
  const fix = 'Check the code that parses the date, or omit the component.'
  validation.report('invalid_date_time', field, message, fix)
  return '0000-01-01T00:00:00Z'
}

/**
 * Copies the known fields of a builder's argument and the first unknown ones.
 * Without a known field, the others are not enumerated, because there may be
 * millions.
 */
function pickFields(names: readonly string[], fields: Fields): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null)
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined) copy[name] = value
  }
  return Object.keys(copy).length === 0 ? copy : firstFields(fields, copy)
}

/**
 * Returns a function that validates the components in an argument of a builder,
 * which may be absent or nested.
 *
 * @param check validates one component
 * @param isPendingAllowed for sections and promises, which settle later
 */
function createItemCheck(check: EntryCopier, isPendingAllowed: boolean): EntryCopier {
  let depth = -1
  let itemCount = 0
  return function visit(item, validation) {
    if (isAbsent(item) || (isPendingAllowed && isPending(item))) return undefined
    if (!isArray(item)) return check(item, validation)
    depth += 1
    itemCount += item.length
    if (depth > MAX_DEPTH || itemCount > MAX_ITEMS) {
      const message = depth > MAX_DEPTH ? 'is nested too deeply' : `exceeds ${MAX_ITEMS} components`
      validation.report('too_many_components', '', message, 'Show fewer components.')
    } else copyEntries(validation, '', item, visit)
    depth -= 1
    return undefined
  }
}
