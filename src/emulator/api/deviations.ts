import { isDateTime } from '../../contract/date-time.ts'
import type { Operation, OperationParameter } from '../../contract/operations.ts'
import { closestMatch } from '../../internal/closest-match.ts'

/** Undocumented use of the API. */
export interface Deviation {
  /** Stable, such as `unknown_parameter`. */
  readonly code: string
  /** The parameter. */
  readonly field?: string
  /** The fix in one sentence, without values of the request. */
  readonly message: string
}

/** The undocumented parameters that lists accept (A11). */
const LIST_PARAMETERS = ['cursor', 'limit']

/** Finds the undocumented parts of a request. */
export function findDeviations(
  operation: Operation,
  query: URLSearchParams,
  hasBody: boolean,
): readonly Deviation[] {
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const extra = operation.response.envelope === 'list' ? LIST_PARAMETERS : []
  const names = [...known.map(({ name }) => name), ...extra]
  return [
    ...[...new Set(query.keys())].flatMap((name) => checkName(name, names, query)),
    ...known.flatMap((parameter) => checkValue(parameter, query)),
    ...(hasBody ? [unexpectedBody(operation)] : []),
  ]
}

function checkName(
  name: string,
  names: readonly string[],
  query: URLSearchParams,
): readonly Deviation[] {
  if (!names.includes(name)) {
    const suggestion = closestMatch(name, names)
    const hint = suggestion === undefined ? 'remove it.' : `did you mean ${suggestion}?`
    const message = `Undocumented parameter: ${hint}`
    return [{ code: 'unknown_parameter', field: name, message }]
  }
  if (query.getAll(name).length === 1) return []
  const message = `Duplicate parameter ${name}: send it once.`
  return [{ code: 'duplicate_parameter', field: name, message }]
}

function checkValue(parameter: OperationParameter, query: URLSearchParams): readonly Deviation[] {
  const { name, type, required, values, format } = parameter
  const value = query.get(name)
  const invalid = (message: string): readonly Deviation[] => [
    { code: 'invalid_parameter', field: name, message },
  ]
  if (value === null || (required && value === '')) {
    const message = `${name} is required. Send it as a query parameter.`
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
    message: `${method} ${path} accepts no body. Send the fields as query parameters.`,
  }
}
