import { isDateTime } from '../contract/date-time.ts'
import type { OperationParameter } from '../contract/operations.ts'
import { closest } from '../internal/closest.ts'
import { ClientError } from './errors.ts'

/** What a query parameter can be. `undefined` is left out; a `Date` is written as RFC 3339. */
export type QueryValue = string | number | boolean | Date | undefined

/** Query parameters; a list sends its name once for each value. */
export type Query = { readonly [name: string]: QueryValue | readonly QueryValue[] }

/**
 * Writes a query string, without the question mark. A space is `%20`.
 *
 * @throws {ClientError} `invalid_parameter` for what has no faithful form: NaN, an
 * invalid `Date`, an object, half a surrogate pair
 */
export function writeQuery(query: Query): string {
  const pairs: string[] = []
  for (const [name, given] of Object.entries(query)) {
    for (const value of Array.isArray(given) ? (given as QueryValue[]) : [given as QueryValue]) {
      if (value === undefined) continue
      pairs.push(`${encode(name, name)}=${encode(name, textOf(name, value))}`)
    }
  }
  return pairs.join('&')
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (value instanceof Date && isDateTime(isoOf(value))) return isoOf(value)
  throw invalid(name, 'must be a string, a finite number, a boolean or a valid Date')
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

function encode(name: string, text: string): string {
  if (!text.isWellFormed())
    throw invalid(name, 'has half a surrogate pair, which UTF-8 cannot write')
  return encodeURIComponent(text)
}

/**
 * Checks the fields of an operation against the contract's table, before
 * anything is sent.
 *
 * @throws {ClientError} `invalid_parameter` for a field that is missing, unknown or of the wrong kind
 */
export function checkFields(
  fields: Readonly<Record<string, unknown>>,
  parameters: readonly OperationParameter[],
): Query {
  const names = parameters.map(({ name }) => name)
  for (const name of Object.keys(fields)) {
    if (names.includes(name)) continue
    const meant = closest(name, names)
    throw invalid(
      name.slice(0, 40),
      meant === undefined
        ? `is not one of ${names.join(', ')}`
        : `is not a field: did you mean ${meant}?`,
    )
  }
  for (const parameter of parameters) {
    const value = fields[parameter.name]
    if (value !== undefined) checkField(parameter, value)
    else if (parameter.required) throw invalid(parameter.name, 'is required')
  }
  return fields as Query
}

function checkField({ name, type, values, format }: OperationParameter, value: unknown): void {
  if (type === 'boolean') {
    if (typeof value !== 'boolean') throw invalid(name, 'must be true or false')
    return
  }
  if (format === 'date-time' && value instanceof Date) {
    textOf(name, value)
    return
  }
  if (typeof value !== 'string') throw invalid(name, 'must be a string')
  if (values !== undefined && !values.includes(value))
    throw invalid(name, `must be one of ${values.join(', ')}`)
  if (format === 'date-time' && !isDateTime(value)) {
    throw invalid(name, 'must be a Date or an RFC 3339 date-time such as 2027-03-01T09:00:00Z')
  }
}

function invalid(name: string, problem: string): ClientError {
  return new ClientError('invalid_parameter', `${JSON.stringify(name)} ${problem}.`)
}
