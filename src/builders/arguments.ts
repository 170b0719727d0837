import { validateComponent } from '../contract/encode.ts'
import { PAYLOAD_OBJECTS } from '../contract/generated/vocabulary.ts'
import type { Component } from '../contract/generated/types.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { createPromiseIssue } from '../contract/report.ts'
import { ICON_URI_SCHEMES } from '../contract/uri.ts'
import { type Fields, isObject as isRecord, isUri } from '../contract/write-values.ts'
import { isThenable } from '../internal/hostile-values.ts'
import { throwInvalid } from './invalid-component-error.ts'

/**
 * How builders validate: first with a few cheap tests, which accept nothing
 * that the contract forbids, and save 40 % of a call. Fields that fail them go to
 * the validation of the contract, which knows the exact problem and its fix.
 */

/** Returns whether a value is an object of any kind. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** Returns whether an object has only the named fields. */
export function hasOnly(fields: object, a: string, b: string, c?: string): boolean {
  for (const key in fields) if (key !== a && key !== b && key !== c) return false
  return true
}

/** Returns whether a value is a URI that some app may accept as a link. */
export function isLinkUri(value: unknown): value is string {
  return isUri(value, 'any')
}

/** Returns whether a value is a valid `icon_url`, or absent. */
export function isOptionalIcon(value: unknown): boolean {
  return value === undefined || isUri(value, ICON_URI_SCHEMES)
}

/** A builder, by its function and its public name. */
export interface Builder {
  readonly call: Function
  readonly name: string
}

/**
 * Throws the issues of a builder's fields; returns if there are none.
 *
 * @param set fields that the builder itself sets or converts
 */
export function assertValidFields(
  builder: Builder,
  type: Exclude<Component['type'], 'card'>,
  fields: unknown,
  set?: object,
): void {
  const picked = pickFields(builder, Object.keys(PAYLOAD_OBJECTS[type]), fields)
  const component = { ...picked, ...set, type }
  const issues = [
    ...reservedFieldIssues(fields, 'type'),
    ...validateComponent(component, 'card', { uriSchemes: 'any' }),
  ]
  if (issues.length > 0) throwInvalid(builder.call, builder.name, issues, picked)
}

/** The issue of a field that the builder sets. */
export function reservedFieldIssues(fields: unknown, name: string): PayloadIssue[] {
  const message = 'is set by the builder'
  return Object.hasOwn(fields as object, name)
    ? [{ path: name, code: 'unknown_field', message, fix: 'Remove it.' }]
    : []
}

/** The maximum number of unknown fields that are listed. */
const MAX_UNKNOWN = 20

/**
 * Copies the known fields of a builder's argument and the first unknown ones.
 * Without a known field, the others are not enumerated: there may be millions.
 *
 * @throws {InvalidComponentError} for an argument that has no fields
 */
export function pickFields(
  builder: Builder,
  names: readonly string[],
  fields: unknown,
): Record<string, unknown> {
  if (isThenable(fields)) {
    return throwInvalid(builder.call, builder.name, [createPromiseIssue('')], fields)
  }
  if (!isRecord(fields)) {
    const message = 'expects one argument: an object with the fields'
    const issue = { path: '', code: 'invalid_type', message, fix: 'Pass an object.' } as const
    return throwInvalid(builder.call, builder.name, [issue], fields)
  }
  const copy: Record<string, unknown> = {}
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined) copy[name] = value
  }
  if (Object.keys(copy).length === 0) return copy
  let unknownCount = 0
  for (const name in fields) {
    if (names.includes(name) || !Object.hasOwn(fields, name)) continue
    copy[name] = fields[name]
    if (++unknownCount === MAX_UNKNOWN) break
  }
  return copy
}
