import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import { PROBLEM_HEADERS } from './headers.ts'

/**
 * A refusal as a problem document (RFC 9457). Its words are fixed: nothing of
 * the request is repeated in it.
 *
 * @see docs/errors.md#problems
 */
export interface Problem {
  readonly status: number
  /** Stable, `snake_case`. */
  readonly code: string
  readonly title: string
  readonly detail: string
}

/** What a newcomer who opens the address in a browser needs to know. */
const EXPECTS = {
  verify: 'GET ?request_type=verify&code=<handshake_code>',
  fetch_data: `GET ?request_type=fetch_data${FETCH_DATA_PARAMETERS.map((name) => `&${name}=…`).join('')}`,
}

export const MISSING_REQUEST_TYPE: Problem = {
  status: 400,
  code: 'missing_request_type',
  title: 'request_type is missing',
  detail: 'A custom sidebar app answers the requests under expects.',
}

export const UNKNOWN_REQUEST_TYPE: Problem = {
  status: 400,
  code: 'unknown_request_type',
  title: 'request_type is unknown',
  detail: 'Send one of those under expects.',
}

export const DUPLICATED_PARAMETER: Problem = {
  status: 400,
  code: 'duplicated_parameter',
  title: 'A parameter is given twice',
  detail: 'Send each parameter once.',
}

export const MISSING_CODE: Problem = {
  status: 400,
  code: 'missing_code',
  title: 'code is missing',
  detail: 'A handshake needs a code.',
}

export const CODE_TOO_LONG: Problem = {
  status: 400,
  code: 'code_too_long',
  title: 'code is too long',
  detail: 'At most 512 characters.',
}

export const UNAUTHORIZED: Problem = {
  status: 401,
  code: 'unauthorized',
  title: 'Not authorized',
  detail: 'Send the custom header with every request.',
}

export const NOT_FOUND: Problem = {
  status: 404,
  code: 'not_found',
  title: 'Not found',
  detail: 'The app answers at its root only.',
}

export const METHOD_NOT_ALLOWED: Problem = {
  status: 405,
  code: 'method_not_allowed',
  title: 'Method not allowed',
  detail: 'Send GET.',
}

export const INTERNAL_ERROR: Problem = {
  status: 500,
  code: 'internal_error',
  title: 'The app failed',
  detail: 'The trace id finds the fault in the log.',
}

export const CALLBACK_TIMEOUT: Problem = {
  status: 504,
  code: 'timeout',
  title: 'Too late',
  detail: 'The trace id finds the fault in the log.',
}

/** Extra members and headers of one answer. */
export interface ProblemExtras {
  readonly parameters?: readonly string[]
  readonly traceId?: string
  readonly headers?: Record<string, string>
}

/** Turns a problem into its answer. */
export function problemResponse(problem: Problem, extras: ProblemExtras = {}): Response {
  const { parameters, traceId, headers } = extras
  const expects = problem.status === 400 ? EXPECTS : undefined
  return new Response(JSON.stringify({ ...problem, parameters, expects, traceId }), {
    status: problem.status,
    headers: { ...PROBLEM_HEADERS, ...headers },
  })
}
