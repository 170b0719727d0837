import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SidecardError } from '../../internal/errors.ts'
import { DEV_HEADER } from '../../internal/headers.ts'

/**
 * A request and its response, for the inspector, without the values of request
 * headers. A rejected request has the response of the port.
 */
export interface LiveRequest {
  readonly method: string
  readonly url: string
  /** Whether the endpoint received it. */
  readonly isForwarded: boolean
  /** In lowercase, in the order received, with repetitions. */
  readonly receivedHeaderNames: readonly string[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Absent if the endpoint did not respond. */
  readonly response?: {
    readonly status: number
    readonly statusText: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array
  }
  /** The reason why there was no response. */
  readonly error?: unknown
  /** Milliseconds until the caller closed the connection. Absent if it waited for the response. */
  readonly abortedAfterMs?: number
}

/** Options of `startTunnelProxy()`. */
export interface TunnelProxyOptions {
  readonly port: number
  readonly endpoint: URL
  readonly fetch: (request: Request) => Promise<Response>
  /** Returns whether the endpoint currently rejects requests without its secret. */
  readonly isProtected: () => boolean
  readonly onRequest: (request: LiveRequest) => void
}

/** A server on the port that a tunnel may make public. */
export interface TunnelProxy {
  readonly url: string
  close(): Promise<void>
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_RESPONSE_BYTES = 1024 * 1024
const MAX_CONCURRENT = 10
const TIMEOUT_MS = 15_000

/**
 * Headers that belong to one connection, name the caller's host, or are reserved
 * for this machine.
 */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|x-sidecard-dev)$/

/** Headers that belong to one connection, or are meant for the developer and not for the caller. */
const NOT_RETURNED =
  /^(?:x-sidecard-.*|server-timing|connection|keep-alive|transfer-encoding|content-length|content-encoding|set-cookie|upgrade|trailer)$/

/**
 * Opens a port for a tunnel. It forwards only GET requests to the endpoint's own
 * path, with any parameters, except other values of the endpoint's own query.
 * Nothing else on this machine is reachable through the public URL.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function startTunnelProxy(options: TunnelProxyOptions): Promise<TunnelProxy> {
  let pending = 0
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      const rejection = pending >= MAX_CONCURRENT ? BUSY : findRejection(request, options)
      if (rejection !== undefined) return reject(request, response, rejection, options)
      pending += 1
      void forward(request, response, options).finally(() => (pending -= 1))
    },
  )
  server.maxConnections = 100
  server.listen(options.port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SidecardError(
      code === 'EADDRINUSE' ? 'port_in_use' : 'cannot_listen',
      `Cannot listen on port ${options.port} (${code}). Choose another --tunnel-port (0 picks a free port).`,
    )
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${options.endpoint.pathname}${options.endpoint.search}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Rejection {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly headers?: Readonly<Record<string, string>>
}

const BUSY: Rejection = {
  status: 503,
  code: 'too_many_requests',
  detail: 'Too many requests at the same time.',
  headers: { 'retry-after': '1' },
}

function findRejection(
  request: IncomingMessage,
  { endpoint, isProtected }: TunnelProxyOptions,
): Rejection | undefined {
  const [path, query] = splitTarget(request.url ?? '')
  if (path !== endpoint.pathname) return { status: 404, code: 'not_found', detail: 'Unknown path.' }
  if (request.method !== 'GET') {
    const headers = { allow: 'GET' }
    return { status: 405, code: 'method_not_allowed', detail: 'Use GET.', headers }
  }
  const { headers } = request
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0) {
    return { status: 413, code: 'body_not_allowed', detail: 'Send the request without a body.' }
  }
  if (changesOwnQuery(query, endpoint)) {
    const detail = "The endpoint's own query has another value."
    return { status: 400, code: 'changed_parameter', detail }
  }
  if (isProtected()) return undefined
  const detail = 'The endpoint responds without its secret, so nothing is forwarded to it.'
  return { status: 503, code: 'not_protected', detail }
}

function splitTarget(target: string): readonly [string, string] {
  const index = target.indexOf('?')
  return index === -1 ? [target, ''] : [target.slice(0, index), target.slice(index + 1)]
}

function changesOwnQuery(query: string, { searchParams }: URL): boolean {
  return [...new URLSearchParams(query)].some(
    ([name, value]) => searchParams.has(name) && !searchParams.getAll(name).includes(value),
  )
}

function reject(
  request: IncomingMessage,
  response: ServerResponse,
  rejection: Rejection,
  { endpoint, onRequest }: TunnelProxyOptions,
): void {
  const { method = '', url: target = '' } = request
  const { status, headers, body } = sendProblem(request, response, rejection)
  const url = target.startsWith('/') ? endpoint.origin + target : target
  const sent = { status, statusText: rejection.code, headers, body: Buffer.from(body) }
  const receivedHeaderNames = readHeaderNames(request)
  const startedAt = Date.now()
  const head = { method, url, isForwarded: false, receivedHeaderNames }
  onRequest({ ...head, startedAt, durationMs: 0, response: sent })
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { endpoint, fetch, onRequest }: TunnelProxyOptions,
): Promise<void> {
  const startedAt = Date.now()
  const started = performance.now()
  const [, query] = splitTarget(request.url ?? '')
  const url = `${endpoint.origin}${endpoint.pathname}${query === '' ? '' : `?${query}`}`
  const receivedHeaderNames = readHeaderNames(request)
  let aborted: Pick<LiveRequest, 'abortedAfterMs'> = {}
  response.once('close', () => {
    if (!response.writableEnded) aborted = { abortedAfterMs: performance.now() - started }
  })
  const record = (result: Pick<LiveRequest, 'response' | 'error'>) => {
    const durationMs = performance.now() - started
    const head = { method: 'GET', url, isForwarded: true, receivedHeaderNames }
    onRequest({ ...head, startedAt, durationMs, ...aborted, ...result })
  }
  try {
    const headers = forwardedHeaders(request)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const forwarded = await fetch(new Request(url, { headers, redirect: 'manual', signal }))
    const body = await readBody(forwarded)
    const { status, statusText } = forwarded
    const received = Object.fromEntries(forwarded.headers)
    record({ response: { status, statusText, headers: received, body } })
    response.writeHead(status, returnedHeaders(forwarded.headers, body.length))
    response.end(body)
  } catch (error) {
    record({ error })
    const detail = 'The endpoint sent no complete response. See the workspace of sidecard dev.'
    sendProblem(request, response, { status: 502, code: 'no_response', detail })
  }
}

function readHeaderNames({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
}

function forwardedHeaders(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? ''
    if (!NOT_FORWARDED.test(name)) headers.append(name, request.rawHeaders[index + 1] ?? '')
  }
  // The inspector shows the details of a failure, but the caller does not get them.
  headers.set(DEV_HEADER, '1')
  return headers
}

function returnedHeaders(headers: Headers, length: number): Record<string, string | number> {
  const returned = [...headers].filter(([name]) => !NOT_RETURNED.test(name))
  return { ...Object.fromEntries(returned), 'content-length': length }
}

async function readBody(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('the response exceeds 1 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, detail, headers: ownHeaders }: Rejection,
) {
  const body = JSON.stringify({ status, code, title: STATUS_CODES[status], detail })
  const headers = {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(body)),
    // The rest of a rejected body is not read.
    ...(request.complete ? {} : { connection: 'close' }),
    ...ownHeaders,
  }
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
  return { status, headers, body }
}
