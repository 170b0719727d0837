import type { PayloadIssue } from '../contract/issues.ts'
import type { Component } from '../contract/payload.ts'
import { uriFault } from '../contract/uri.ts'
import { componentIssues } from '../contract/walk.ts'
import { refuse } from './invalid-component-error.ts'

/**
 * How a builder judges: first by these few tests, which cost next to nothing
 * and accept nothing that the contract refuses; what fails them goes to the
 * walk, which knows the exact verdict and the words for it.
 */

/** The URI schemes that a builder lets through. */
export interface UriOptions {
  /**
   * In lower case (A9). The app has the same option, and judges what it sends.
   * @default ['http', 'https']
   */
  readonly uriSchemes?: readonly string[]
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isUriAllowed(value: unknown, options: UriOptions | undefined): boolean {
  return typeof value === 'string' && uriFault(value, options?.uriSchemes) === undefined
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether an argument is an object without fields other than the named ones. */
export function hasOnly(fields: unknown, a: string, b: string, c?: string): boolean {
  if (!isObject(fields)) return false
  for (const key in fields) if (key !== a && key !== b && key !== c) return false
  return true
}

/**
 * Throws what the walk finds wrong with a builder's fields; returns when it
 * finds nothing.
 */
export function judge(
  builder: Function,
  type: Component['type'],
  fields: unknown,
  options?: UriOptions,
): void {
  const issues = issuesOfFields(type, fields, options)
  if (issues.length > 0) refuse(builder, type === 'date_time' ? 'dateTime' : type, issues)
}

function issuesOfFields(
  type: Component['type'],
  fields: unknown,
  options?: UriOptions,
): PayloadIssue[] {
  if (!isObject(fields)) return [NO_FIELDS]
  if (Object.hasOwn(fields, 'type')) return [setByBuilder('type')]
  return componentIssues({ ...fields, type }, 'payload', options)
}

/** For an argument that is no object. */
export const NO_FIELDS: PayloadIssue = {
  path: '',
  code: 'invalid_type',
  message: 'needs one argument, an object with its fields',
}

/** For a field that the caller may not give, as the builder does. */
export function setByBuilder(field: string): PayloadIssue {
  return { path: field, code: 'unknown_field', message: 'is set by the builder: leave it out' }
}
