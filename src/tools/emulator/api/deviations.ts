import { isDateTime } from '../../../runtime/contract/date-time.ts'
import type { Operation, OperationParameter } from '../../../runtime/contract/operations.ts'
import { closestMatch } from '../../../runtime/internal/closest-match.ts'
import { ApiError } from './api-error.ts'

const NO_BODY = 'accepts no body. Send the fields as query parameters.'

/** The undocumented parameters that lists accept (A11). */
const LIST_PARAMETERS = ['cursor', 'limit']

/**
 * Finds undocumented use of the API. Each message contains the fix, and no values
 * of the request.
 */
export function* findDeviations(
  operation: Operation,
  query: URLSearchParams,
  hasBody: boolean,
): Generator<ApiError> {
  const { method, path } = operation
  const known = operation.parameters.filter((parameter) => parameter.in === 'query')
  const extra = operation.response.envelope === 'list' ? LIST_PARAMETERS : []
  const names = [...known.map(({ name }) => name), ...extra]
  for (const name of new Set(query.keys())) {
    if (!names.includes(name)) {
      const suggestion = closestMatch(name, names)
      const hint = suggestion === undefined ? 'remove it.' : `did you mean ${suggestion}?`
      yield deviation('unknown_parameter', `Undocumented parameter: ${hint}`, name)
    } else if (query.getAll(name).length > 1) {
      yield deviation('duplicate_parameter', `Duplicate parameter ${name}: send it once.`, name)
    }
  }
  for (const parameter of known)
    yield* checkValue(parameter, query.get(parameter.name) ?? undefined)
  if (hasBody) yield deviation('unexpected_body', `${method} ${path} ${NO_BODY}`)
}

function* checkValue(parameter: OperationParameter, value: string | undefined) {
  const { name, type, required, values, format } = parameter
  const invalid = (problem: string) => deviation('invalid_parameter', `${name} ${problem}`, name)
  if (required && !value) {
    const message = `${name} is required. Send it as a query parameter.`
    yield deviation('missing_parameter', message, name)
  } else if (value === undefined) return
  else if (type === 'boolean' && value !== 'true' && value !== 'false') {
    yield invalid('must be true or false.')
  } else if (values !== undefined && !values.includes(value)) {
    yield invalid(`must be one of ${values.join(', ')}.`)
  } else if (format === 'date-time' && !isDateTime(value)) {
    yield invalid('must be an RFC 3339 date-time, such as 2027-03-01T09:00:00Z.')
  }
}

function deviation(code: string, message: string, field?: string): ApiError {
  return new ApiError(400, code, message, { field })
}
