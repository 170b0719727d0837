import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'

/**
 * A problem response (RFC 9457). Its texts are fixed, so they never repeat a
 * part of the request.
 *
 * @see docs/errors.md#http-errors
 */
export interface Problem {
  readonly status: number
  /** Stable, `snake_case`. */
  readonly code: string
  readonly title: string
  readonly detail: string
}

/** Lists the accepted requests, for a visitor who opens the URL in a browser. */
const ACCEPTED_REQUESTS = {
  verify: 'GET ?request_type=verify&code=<handshake_code>',
  fetch_data: `GET ?request_type=fetch_data${FETCH_DATA_PARAMETERS.map((name) => `&${name}=…`).join('')}`,
}

const SEND_ACCEPTED = 'Send one of the requests in `expects`.'
const SEARCH_LOGS = 'Search the logs for the trace ID.'

const problem = (status: number, code: string, title: string, detail: string): Problem => ({
  status,
  code,
  title,
  detail,
})

export const MISSING_REQUEST_TYPE = problem(
  400,
  'missing_request_type',
  'request_type is missing',
  SEND_ACCEPTED,
)
export const UNKNOWN_REQUEST_TYPE = problem(
  400,
  'unknown_request_type',
  'request_type is unknown',
  SEND_ACCEPTED,
)
export const DUPLICATED_PARAMETER = problem(
  400,
  'duplicated_parameter',
  'Duplicate parameter',
  'Send each parameter once.',
)
export const MISSING_CODE = problem(
  400,
  'missing_code',
  'code is missing',
  'A handshake requires a code.',
)
export const CODE_TOO_LONG = problem(
  400,
  'code_too_long',
  'code is too long',
  'Send at most 512 characters.',
)
export const UNAUTHORIZED = problem(
  401,
  'unauthorized',
  'Unauthorized',
  'Send the custom header with every request.',
)
export const NOT_FOUND = problem(
  404,
  'not_found',
  'Not found',
  'The app only serves its root path.',
)
export const METHOD_NOT_ALLOWED = problem(
  405,
  'method_not_allowed',
  'Method not allowed',
  'Use GET.',
)
export const INVALID_BINDINGS = problem(
  500,
  'invalid_bindings',
  'The app is not configured',
  'The log lists the bindings.',
)
export const INTERNAL_ERROR = problem(500, 'internal_error', 'Internal error', SEARCH_LOGS)
export const TIMED_OUT = problem(504, 'timeout', 'Timed out', SEARCH_LOGS)

/** Members of one problem response beyond the fixed ones. */
export interface ProblemMembers {
  readonly parameters?: readonly string[] | undefined
  readonly traceId?: string | undefined
}

/** Formats a problem as the JSON of its response. */
export function formatProblem(of: Problem, { parameters, traceId }: ProblemMembers = {}): string {
  const expects = of.status === 400 ? ACCEPTED_REQUESTS : undefined
  return JSON.stringify({ ...of, parameters, expects, traceId })
}
