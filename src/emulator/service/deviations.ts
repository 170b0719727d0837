import { isDateTime } from '../../contract/date-time.ts'
import type { Operation, OperationParameter } from '../../contract/operations.ts'
import { closest } from '../../internal/closest.ts'

/** Something that a caller did and the contract does not show. */
export interface Deviation {
  /** Stable, such as `unknown_parameter`. */
  readonly code: string
  /** The parameter. */
  readonly field?: string
  /** One sentence that says what to do; it holds no value of the request. */
  readonly message: string
}

/** The parameters that a list takes although the contract shows none (A11). */
const LIST_PARAMETERS = ['cursor', 'limit']

/** What a request does beside the contract. A right one gives an empty list. */
export function findDeviations(
  operation: Operation,
  query: URLSearchParams,
  hasBody: boolean,
): readonly Deviation[] {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const extra = operation.response.envelope === 'list' ? LIST_PARAMETERS : []
  const names = [...known.map(({ name }) => name), ...extra]
  return [
    ...[...new Set(query.keys())].flatMap((name) => aboutName(name, names, query)),
    ...known.flatMap((parameter) => aboutValue(parameter, query)),
    ...(hasBody ? [unexpectedBody(operation)] : []),
  ]
}

function aboutName(
  name: string,
  names: readonly string[],
  query: URLSearchParams,
): readonly Deviation[] {
  if (!names.includes(name)) {
    const meant = closest(name, names)
    const hint = meant === undefined ? 'leave it out' : `did you mean ${meant}?`
    const message = `The contract shows no such parameter: ${hint}`
    return [{ code: 'unknown_parameter', field: name, message }]
  }
  if (query.getAll(name).length === 1) return []
  const message = `${name} is there more than once: send it once.`
  return [{ code: 'duplicate_parameter', field: name, message }]
}

function aboutValue(parameter: OperationParameter, query: URLSearchParams): readonly Deviation[] {
  const { name, type, required, values, format } = parameter
  const value = query.get(name)
  const invalid = (message: string): readonly Deviation[] => [
    { code: 'invalid_parameter', field: name, message },
  ]
  if (value === null || (required && value === '')) {
    const message = `${name} is required: send it as a query parameter.`
    return required ? [{ code: 'missing_parameter', field: name, message }] : []
  }
  if (type === 'boolean' && value !== 'true' && value !== 'false') {
    return invalid(`${name} must be true or false.`)
  }
  if (values !== undefined && !values.includes(value)) {
    return invalid(`${name} must be one of ${values.join(', ')}.`)
  }
  if (format === 'date-time' && !isDateTime(value)) {
    return invalid(`${name} must be an RFC 3339 date-time, such as 2027-03-01T09:00:00Z.`)
  }
  return []
}

function unexpectedBody({ method, path }: Operation): Deviation {
  return {
    code: 'unexpected_body',
    message: `${method} ${path} takes no body: send its fields as query parameters.`,
  }
}
