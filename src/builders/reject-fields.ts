import { isArray, isDate, isThenable } from '../internal/hostile-values.ts'
import { toDateTime } from '../contract/build-values.ts'
import { encodePayload, validateComponent } from '../contract/encode.ts'
import type { FieldSpec } from '../contract/field-spec.ts'
import type { Component } from '../contract/generated/types.ts'
import { PAYLOAD_OBJECTS } from '../contract/generated/vocabulary.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { createPromiseIssue, UNREADABLE } from '../contract/report.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { isObject } from '../contract/write-values.ts'
import { findItemIssues } from './item-issues.ts'
import { throwInvalid } from './invalid-component-error.ts'

/** Builders allow every scheme, because the app decides which it sends. */
const OPTIONS = { uriSchemes: 'any' } as const

/**
 * Throws the issues of fields that the generated check of a builder has rejected.
 * The validation of the contract knows the exact problems and their fixes.
 *
 * @param name of the builder: a minified function has lost its own
 */
export function rejectFields(
  builder: Function,
  name: string,
  owner: Component['type'] | 'payload',
  fields: unknown,
): never {
  const argumentIssue = findArgumentIssue(owner, fields)
  if (argumentIssue !== undefined) return throwInvalid(builder, name, [argumentIssue], fields)
  const table: Readonly<Record<string, FieldSpec>> = PAYLOAD_OBJECTS[owner]
  const picked = pickFields(Object.keys(table), fields as object)
  const isPayload = owner === 'payload'
  const reserved = isPayload ? 'version' : 'type'
  const converted: Record<string, unknown> = { [reserved]: isPayload ? SCHEMA_VERSION : owner }
  const issues: PayloadIssue[] = []
  if (Object.hasOwn(fields as object, reserved)) {
    const message = 'is set by the builder'
    issues.push({ path: reserved, code: 'unknown_field', message, fix: 'Remove it.' })
  }
  for (const [field, { kind, required, values, items }] of Object.entries(table)) {
    const value = picked[field]
    if (kind === 'date_time' && isDate(value)) {
      const text = toDateTime(value)
      if (text === '') issues.push(dateIssue(field, value))
      converted[field] = text || '0000-01-01T00:00:00Z'
    } else if (kind === 'enum' && required && values?.length === 1 && value === undefined) {
      converted[field] = values[0]
    } else if (items !== undefined && !(items in PAYLOAD_OBJECTS) && isArray(value)) {
      // The items may be absent or nested.
      converted[field] = []
      issues.push(...findItemIssues(value, field, owner === 'card' ? 'card' : 'payload'))
    }
  }
  issues.unshift(
    ...validate({ ...picked, ...converted }, isPayload),
    ...missingTitleIssues(picked['header']),
  )
  return throwInvalid(builder, name, issues.length === 0 ? [UNREADABLE] : issues, picked)
}

function validate(value: object, isPayload: boolean): readonly PayloadIssue[] {
  if (!isPayload) return validateComponent(value, 'payload', OPTIONS)
  const result = encodePayload(value, OPTIONS)
  return result.ok ? [] : result.issues
}

/** Returns the issue of an argument that has no fields. */
function findArgumentIssue(owner: string, fields: unknown): PayloadIssue | undefined {
  if (isThenable(fields)) return createPromiseIssue('')
  if (isObject(fields)) return undefined
  const isList = owner === 'card' && isArray(fields)
  const message = 'expects one argument: an object with the fields'
  const fix = isList ? 'Write card({ components: […] }).' : 'Pass an object.'
  return { path: '', code: 'invalid_type', message, fix }
}

function dateIssue(path: string, value: Date): PayloadIssue {
  const message = Number.isNaN(value.getTime())
    ? 'is an invalid Date'
    : 'has a year outside 0000–9999, which RFC 3339 does not support'
  const fix = 'Check where it was parsed, or omit the component.'
  return { path, code: 'invalid_date_time', message, fix }
}

/** The issue of a header without a title, which the contract may allow (A1). */
function missingTitleIssues(header: unknown): PayloadIssue[] {
  if (!isObject(header) || isThenable(header) || header['title'] !== undefined) return []
  const path = 'header.title'
  return [{ path, code: 'missing_field', message: 'is missing', fix: 'Add "title", a string.' }]
}

/** The maximum number of unknown fields that are listed. */
const MAX_UNKNOWN = 20

/**
 * Copies the known fields of a builder's argument and the first unknown ones.
 * Without a known field, the others are not enumerated: there may be millions.
 */
function pickFields(names: readonly string[], fields: object): Record<string, unknown> {
  const given = fields as Readonly<Record<string, unknown>>
  // Without a prototype, an own `__proto__` is a field like any other.
  const copy = Object.create(null) as Record<string, unknown>
  for (const name of names) {
    const value = given[name]
    if (value !== undefined) copy[name] = value
  }
  if (Object.keys(copy).length === 0) return copy
  let unknownCount = 0
  for (const name in given) {
    if (names.includes(name) || !Object.hasOwn(given, name)) continue
    copy[name] = given[name]
    if (++unknownCount === MAX_UNKNOWN) break
  }
  return copy
}
