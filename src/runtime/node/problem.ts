import { STATUS_CODES } from 'node:http'

/** The problem responses of the host itself. @see docs/errors.md#http-errors */
const PROBLEMS = {
  400: { code: 'bad_request', detail: 'The request is not valid HTTP.' },
  408: { code: 'request_timeout', detail: 'The request did not arrive in time.' },
  431: {
    code: 'headers_too_large',
    detail: 'The URL and headers must not exceed 16 KiB in total.',
  },
  500: { code: 'internal_error', detail: 'The app failed. See its logs.' },
} as const

export type ProblemStatus = keyof typeof PROBLEMS

/** The headers of the host's problem responses. */
export const PROBLEM_HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** Returns the JSON of the problem. */
export function problemBody(status: ProblemStatus): string {
  const { code, detail } = PROBLEMS[status]
  return JSON.stringify({ status, code, title: STATUS_CODES[status], detail })
}

/** Returns the problem as a Fetch response. */
export function problemResponse(status: ProblemStatus): Response {
  return new Response(problemBody(status), { status, headers: PROBLEM_HEADERS })
}

/** Returns the problem as a raw HTTP response, for a socket without a request. */
export function rawProblemResponse(status: ProblemStatus): string {
  const body = problemBody(status)
  const headers = {
    ...PROBLEM_HEADERS,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
