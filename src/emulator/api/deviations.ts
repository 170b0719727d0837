import { isDateTime } from '../../contract/date-time.ts'
import type { Operation, OperationParameter } from '../../contract/operations.ts'
import { closestMatch } from '../../internal/closest-match.ts'
import { ApiError } from './api-error.ts'

const NO_BODY = 'accepts no body. Send the fields as query parameters.'

/** The undocumented parameters that lists accept (A11). */
const LIST_PARAMETERS = ['cursor', 'limit']

/** Finds undocumented use of the API. The message of each is the fix, without values of the request. */
export function findDeviations(
  operation: Operation,
  query: URLSearchParams,
  hasBody: boolean,
): readonly ApiError[] {
  const { method, path } = operation
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const extra = operation.response.envelope === 'list' ? LIST_PARAMETERS : []
  const names = [...known.map(({ name }) => name), ...extra]
  return [
    ...[...new Set(query.keys())].flatMap((name) => checkName(name, names, query)),
    ...known.flatMap((parameter) => checkValue(parameter, query)),
    ...(hasBody ? [deviation('unexpected_body', `${method} ${path} ${NO_BODY}`)] : []),
  ]
}

function checkName(
  name: string,
  names: readonly string[],
  query: URLSearchParams,
): readonly ApiError[] {
  if (!names.includes(name)) {
    const suggestion = closestMatch(name, names)
    const hint = suggestion === undefined ? 'remove it.' : `did you mean ${suggestion}?`
    const message = `Undocumented parameter: ${hint}`
    return [deviation('unknown_parameter', message, name)]
  }
  if (query.getAll(name).length === 1) return []
  const message = `Duplicate parameter ${name}: send it once.`
  return [deviation('duplicate_parameter', message, name)]
}

function checkValue(parameter: OperationParameter, query: URLSearchParams): readonly ApiError[] {
  const { name, type, required, values, format } = parameter
  const value = query.get(name)
  const invalid = (message: string) => [deviation('invalid_parameter', message, name)]
  if (value === null || (required && value === '')) {
    const message = `${name} is required. Send it as a query parameter.`
    return required ? [deviation('missing_parameter', message, name)] : []
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

function deviation(code: string, message: string, field?: string): ApiError {
  return new ApiError(400, code, message, field === undefined ? {} : { field })
}
