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

/** Query parameters. An array is sent as one parameter per value. */
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
  // The toJSON() of an invalid Date returns null.
  const time = (value instanceof Date && value.toJSON()) || ''
  if (isDateTime(time)) return time
  throw invalid(name, 'must be a string, a finite number, a boolean or a valid Date')
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
    if (value === undefined && !parameter.required) continue
    const problem = value === undefined ? 'is required' : findProblem(parameter, value)
    if (problem !== undefined) throw invalid(parameter.name, problem)
  }
  return fields as Query
}

function findProblem({ type, values, format }: OperationParameter, value: unknown) {
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false'
  if (format === 'date-time' && value instanceof Date) return undefined
  if (typeof value !== 'string') return 'must be a string'
  if (values !== undefined && !values.includes(value)) return `must be one of ${values.join(', ')}`
  if (format !== 'date-time' || isDateTime(value)) return undefined
  const [problem, fix] = explainDateTime(value)
  return `${problem}. ${fix.replace(/\.$/, '')}, or pass a Date`
}

function invalid(name: string, problem: string): ClientError {
  return new ClientError('invalid_parameter', `${JSON.stringify(name)} ${problem}.`)
}
