import { isDateTime } from '../contract/date-time.ts'
import { explainDateTime } from '../contract/explain.ts'
import type { OperationParameter } from '../contract/operations.ts'
import { findUnknownName } from '../internal/read-options.ts'
import { ClientError } from './errors.ts'

/**
 * The value of a query parameter. `undefined` is omitted. A `Date` is sent as an
 * RFC 3339 date-time.
 */
export type QueryValue = string | number | boolean | Date | undefined

/** Query parameters. The name of an array is sent once per value. */
export type Query = { readonly [name: string]: QueryValue | readonly QueryValue[] }

/**
 * Serializes a query, without the question mark. A space is `%20`.
 *
 * @throws {ClientError} `invalid_parameter` for NaN, an infinity, an invalid
 * `Date`, an object and an unpaired surrogate
 */
export function serializeQuery(query: Query): string {
  const pairs: string[] = []
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? (given as QueryValue[]) : [given as QueryValue]) {
      if (value === undefined) continue
      pairs.push(`${encode(name, name)}=${encode(name, serializeValue(name, value))}`)
    }
  }
  return pairs.join('&')
}

function serializeValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (value instanceof Date && isDateTime(toIsoString(value))) return toIsoString(value)
  throw invalid(name, 'must be a string, a finite number, a boolean or a valid Date')
}

function toIsoString(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function encode(name: string, text: string): string {
  if (!text.isWellFormed()) throw invalid(name, 'contains an unpaired surrogate')
  return encodeURIComponent(text)
}

/**
 * Validates the fields of an operation against the contract's table.
 *
 * @throws {ClientError} `invalid_parameter` for a field that is missing, unknown or of the wrong type
 */
export function validateFields(
  fields: Readonly<Record<string, unknown>>,
  parameters: readonly OperationParameter[],
): Query {
  const names = parameters.map(({ name }) => name)
  const unknown = findUnknownName('field', fields, names)
  if (unknown !== undefined) {
    throw new ClientError('invalid_parameter', `client.tasks.create: ${unknown}`)
  }
  for (const parameter of parameters) {
    const value = fields[parameter.name]
    if (value !== undefined) validateField(parameter, value)
    else if (parameter.required) throw invalid(parameter.name, 'is required')
  }
  return fields as Query
}

function validateField({ name, type, values, format }: OperationParameter, value: unknown): void {
  if (type === 'boolean') {
    if (typeof value !== 'boolean') throw invalid(name, 'must be true or false')
    return
  }
  if (format === 'date-time' && value instanceof Date) {
    serializeValue(name, value)
    return
  }
  if (typeof value !== 'string') throw invalid(name, 'must be a string')
  if (values !== undefined && !values.includes(value))
    throw invalid(name, `must be one of ${values.join(', ')}`)
  if (format === 'date-time' && !isDateTime(value)) {
    const [problem, fix] = explainDateTime(value)
    throw invalid(name, `${problem}. ${fix.replace(/\.$/, '')}, or pass a Date`)
  }
}

function invalid(name: string, problem: string): ClientError {
  return new ClientError('invalid_parameter', `${JSON.stringify(name)} ${problem}.`)
}
