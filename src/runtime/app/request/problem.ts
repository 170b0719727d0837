import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'

const SEND_ACCEPTED = 'Send one of the requests in `expects`.'
const SEND_CONDITIONS = 'Send base64 of JSON, such as {"Orders":"failed"}: at most 4 KiB.'
const SEARCH_LOGS = 'Search the logs for the trace ID.'

/** The status and detail of each problem. The texts never repeat a part of the request. */
export const PROBLEMS = {
  missing_request_type: [400, SEND_ACCEPTED],
  unknown_request_type: [400, SEND_ACCEPTED],
  duplicate_parameter: [400, 'Send each parameter once.'],
  missing_code: [400, 'A handshake requires a code.'],
  code_too_long: [400, 'Send at most 512 characters.'],
  invalid_sections: [400, SEND_CONDITIONS],
  unauthorized: [401, 'Send the custom header with every request.'],
  not_found: [404, 'The app only serves its root path.'],
  method_not_allowed: [405, 'Use GET.'],
  invalid_bindings: [500, 'The log lists the bindings.'],
  internal_error: [500, SEARCH_LOGS],
  timeout: [504, SEARCH_LOGS],
} as const

/**
 * The code of a problem response (RFC 9457): stable, `snake_case`.
 *
 * @see docs/errors.md#http-errors
 */
export type ProblemCode = keyof typeof PROBLEMS

/** Lists the accepted requests, for a visitor who opens the URL in a browser. */
const ACCEPTED_REQUESTS = {
  verify: 'GET ?request_type=verify&code=<handshake_code>',
  fetch_data: `GET ?request_type=fetch_data${FETCH_DATA_PARAMETERS.map((name) => `&${name}=…`).join('')}`,
}

/** Additional members of one problem response. */
export interface ProblemMembers {
  readonly parameters?: readonly string[] | undefined
  readonly traceId?: string | undefined
}

/** Formats a problem as the JSON of its response. */
export function formatProblem(
  code: ProblemCode,
  { parameters, traceId }: ProblemMembers = {},
): string {
  const [status, detail] = PROBLEMS[code]
  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')
  const expects = status === 400 ? ACCEPTED_REQUESTS : undefined
  return JSON.stringify({ status, code, title, detail, parameters, expects, traceId })
}
