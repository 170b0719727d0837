import { type ServerResponse, STATUS_CODES } from 'node:http'

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

const HEADERS = {
  'content-type': 'application/problem+json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function problemBody(status: ProblemStatus): string {
  const { code, detail } = PROBLEMS[status]
  return JSON.stringify({ status, code, title: STATUS_CODES[status], detail })
}

/** Returns the problem as a Fetch response. */
export function problemResponse(status: ProblemStatus): Response {
  return new Response(problemBody(status), { status, headers: HEADERS })
}

/** Returns the problem as a raw HTTP response, for a socket without a request. */
export function rawProblemResponse(status: ProblemStatus): string {
  const body = problemBody(status)
  const headers = { ...HEADERS, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/**
 * Makes a response tolerate invalid headers of a route. The Fetch API allows
 * header values that Node rejects with an error, which would end the process. The
 * client gets a 500 problem response instead.
 */
export function guardResponse(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  response.writeHead = (...args: unknown[]) => {
    try {
      return writeHead(...args)
    } catch (error) {
      if (response.headersSent) throw error
      const reason = error instanceof Error ? error.message : 'unknown reason'
      process.stderr.write(`sidecard: a route returned an invalid response: ${reason}.\n`)
      for (const name of response.getHeaderNames()) response.removeHeader(name)
      const body = problemBody(500)
      writeHead(500, { ...HEADERS, 'content-length': Buffer.byteLength(body) })
      response.end(body)
      // The body of the route has no place any more.
      response.write = () => true
      response.end = () => response
      return response
    }
  }
}
