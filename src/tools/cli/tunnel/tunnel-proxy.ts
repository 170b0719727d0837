import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveExchange } from '../../emulator/core/live.ts'
import { constantTimeEqual } from '../../../runtime/internal/constant-time-equal.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { DEV_HEADER } from '../../../runtime/internal/headers.ts'
import { readBody } from '../../service/endpoint/body.ts'

/**
 * A request and its response, for the inspector, without the values of request
 * headers. The response to a rejected request is that of the proxy.
 */
export interface LiveRequest extends Omit<LiveExchange, 'appId'> {
  readonly method: string
  /** Whether the endpoint received it. */
  readonly isForwarded: boolean
  readonly receivedHeaderNames: readonly string[]
}

/** Options of `startTunnelProxy()`. */
export interface TunnelProxyOptions {
  readonly port: number
  readonly endpoint: URL
  readonly fetch: (request: Request) => Promise<Response>
  /** Returns the custom headers of the app, which every request must have. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly onRequest: (request: LiveRequest) => void
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
}
const MAX_RESPONSE_BYTES = 1024 * 1024
const MAX_CONCURRENT = 10
const TIMEOUT_MS = 15_000

/**
 * Matches headers that belong to one connection, name the caller's host, or are
 * reserved for this machine.
 */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|x-sidecard-dev)$/

/**
 * Matches headers that belong to one connection, or are meant for the developer
 * and not the caller.
 */
const NOT_RETURNED =
  /^(?:x-sidecard-.*|server-timing|connection|keep-alive|transfer-encoding|content-length|content-encoding|set-cookie|upgrade|trailer)$/

/**
 * Opens a port for a tunnel. It only forwards GET requests with the app's custom
 * headers to the endpoint's own path. Parameters of the endpoint's own query must
 * keep their values; others are free. Nothing else on this machine is reachable
 * through the public URL, even if the endpoint does not require its secret.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function startTunnelProxy(options: TunnelProxyOptions) {
  const { endpoint, port } = options
  let pending = 0

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', rawHeaders } = request
    const startedAt = Date.now()
    const started = performance.now()
    let aborted: Pick<LiveRequest, 'abortedAfterMs'> = {}
    response.once('close', () => {
      if (!response.writableEnded) aborted = { abortedAfterMs: performance.now() - started }
    })
    const problem = pending >= MAX_CONCURRENT ? 'too_many_requests' : findProblem(request, options)
    // The rest of the body is not read, so the connection cannot be reused.
    if (problem !== undefined && !request.complete) response.setHeader('connection', 'close')
    pending += 1
    const result =
      problem === undefined ? await forward(request, options) : { response: respondWith(problem) }
    pending -= 1
    options.onRequest({
      method,
      url: target.startsWith('/') ? endpoint.origin + target : target,
      isForwarded: problem === undefined,
      receivedHeaderNames: rawHeaders
        .filter((_, index) => index % 2 === 0)
        .map((name) => name.toLowerCase()),
      startedAt,
      durationMs: performance.now() - started,
      ...aborted,
      ...result,
    })
    const { status, headers, body } = result.response ?? respondWith('no_response')
    const returned = Object.entries(headers).filter(([name]) => !NOT_RETURNED.test(name))
    response.writeHead(status, { ...Object.fromEntries(returned), 'content-length': body.length })
    response.end(body)
  }

  const server = createServer(LIMITS, (request, response) => void respond(request, response))
  server.maxConnections = 100
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SidecardError(
      code === 'EADDRINUSE' ? 'port_in_use' : 'cannot_listen',
      `Cannot listen on port ${port} (${code}). Choose another --tunnel-port (0 picks a free port).`,
    )
  }
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}${endpoint.pathname}${endpoint.search}`,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Why a request has no response of the endpoint: the status, a sentence, and headers. */
const PROBLEMS = {
  not_found: [404, 'Unknown path.', {}],
  method_not_allowed: [405, 'Use GET.', { allow: 'GET' }],
  body_not_allowed: [413, 'Send the request without a body.', {}],
  changed_parameter: [400, "The endpoint's own query has another value.", {}],
  unauthorized: [401, 'Send the custom header of the app.', {}],
  too_many_requests: [503, 'Too many requests at the same time.', { 'retry-after': '1' }],
  no_response: [
    502,
    'The endpoint sent no complete response. See the workspace of sidecard dev.',
    {},
  ],
} as const

function respondWith(code: keyof typeof PROBLEMS) {
  const [status, detail, headers] = PROBLEMS[code]
  return {
    status,
    statusText: code,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: Buffer.from(JSON.stringify({ status, code, title: STATUS_CODES[status], detail })),
  }
}

/** Returns why a request is rejected. */
function findProblem(
  { headers, headersDistinct, method, url = '' }: IncomingMessage,
  { endpoint, headers: readHeaders }: TunnelProxyOptions,
): keyof typeof PROBLEMS | undefined {
  const [path, ...query] = url.split('?')
  if (path !== endpoint.pathname) return 'not_found'
  if (method !== 'GET') return 'method_not_allowed'
  const hasBody = Number(headers['content-length'] ?? 0) !== 0
  if (hasBody || headers['transfer-encoding'] !== undefined) return 'body_not_allowed'
  const { searchParams: own } = endpoint
  const isChanged = ([name, value]: readonly [string, string]) =>
    own.has(name) && !own.getAll(name).includes(value)
  if ([...new URLSearchParams(query.join('?'))].some(isChanged)) return 'changed_parameter'
  const isOfService = [...new Headers(readHeaders())].every(([name, value]) =>
    constantTimeEqual(headersDistinct[name]?.join() ?? '', value),
  )
  return isOfService ? undefined : 'unauthorized'
}

async function forward(request: IncomingMessage, { endpoint, fetch }: TunnelProxyOptions) {
  // The inspector shows the details of a failure, but the caller does not get them.
  const headers = new Headers({ [DEV_HEADER]: '1' })
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    if (!NOT_FORWARDED.test(name)) headers.set(name, values.join(', '))
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(
      new Request(`${endpoint.origin}${request.url}`, { headers, redirect: 'manual', signal }),
    )
    // The signal also ends the body.
    const { bytes: body, truncated } = await readBody(response, MAX_RESPONSE_BYTES)
    if (truncated) throw new Error('the response exceeds 1 MiB')
    const { status, statusText } = response
    return {
      response: { status, statusText, headers: Object.fromEntries(response.headers), body },
    }
  } catch (error) {
    return { error }
  }
}
