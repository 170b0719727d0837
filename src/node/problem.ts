import { STATUS_CODES } from 'node:http'

/** What Node itself refuses before the app sees it. @see docs/errors.md#problems */
const PROBLEMS = {
  400: { code: 'bad_request', detail: 'The request is not valid HTTP.' },
  408: { code: 'request_timeout', detail: 'The request did not arrive in time.' },
  431: { code: 'headers_too_large', detail: 'The URL and headers may have 16 KiB in all.' },
  500: { code: 'internal_error', detail: 'The app failed. Its log says more.' },
} as const

export type RefusedStatus = keyof typeof PROBLEMS

const HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function bodyOf(status: RefusedStatus): string {
  const { code, detail } = PROBLEMS[status]
  return JSON.stringify({ status, code, title: STATUS_CODES[status], detail })
}

/** The refusal as a Fetch response. */
export function refusal(status: RefusedStatus): Response {
  return new Response(bodyOf(status), { status, headers: HEADERS })
}

/** The refusal as bytes of HTTP, for a socket that has no request to answer. */
export function rawRefusal(status: RefusedStatus): string {
  const body = bodyOf(status)
  const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}
