import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import type { Socket } from 'node:net'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { Connection } from '../../check/options.ts'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { addTrailers } from '../../service/endpoint/trailers.ts'
import { decodeBody } from './decode-body.ts'

/** Sends requests to endpoints on behalf of a command. */
export interface Transport {
  readonly fetch: (request: Request) => Promise<Response>
  /** Opens one connection that stays open between requests. */
  readonly openConnection: () => Connection
}

/** The variables that name proxies: `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
type Env = Readonly<Record<string, string | undefined>>

/**
 * Creates a transport that parses HTTP strictly. Each request uses a new
 * connection, so that a response that breaks its connection does not affect the
 * next request. Node's agents send the requests through the proxy of the
 * environment, except to this machine.
 */
export function createTransport(env: Env = {}): Transport {
  return {
    fetch: async (request) => send(request, createAgent(request, env, false)),
    openConnection: () => openConnection(env),
  }
}

/** The number of line break bytes that servers may send after a body. */
const MAX_LINE_BREAKS = 4

/** Opens a connection that stays open. A request that cannot reuse it opens another one. */
function openConnection(env: Env): Connection {
  let agent: HttpAgent | undefined
  let wasReused = false
  let socket: Socket | undefined
  let incoming: IncomingMessage | undefined
  /** The number of bytes on the connection at the end of the response. */
  let end = Infinity
  /** Runs after Node's parser, which destroys the connection if a packet contains more than a response. */
  const onData = () => {
    if (incoming?.complete !== true || end !== Infinity) return
    end = socket === undefined || socket.destroyed ? -Infinity : socket.bytesRead
  }
  return {
    async send(request) {
      agent ??= createAgent(request, env, true)
      incoming = undefined
      end = Infinity
      return send(request, agent, (outgoing, used) => {
        wasReused = outgoing.reusedSocket
        socket = used
        // For each request, Node adds its parser's listener again, and this one must run after it.
        socket.off('data', onData).on('data', onData)
        outgoing.on('response', (response) => (incoming = response))
      })
    },
    wasReused: () => wasReused,
    hasExtraBytes: () => (socket?.bytesRead ?? 0) - end > MAX_LINE_BREAKS,
    close: () => agent?.destroy(),
  }
}

function createAgent(request: Request, env: Env, keepAlive: boolean): HttpAgent {
  const { protocol, hostname } = new URL(request.url)
  const Agent = protocol === 'https:' ? HttpsAgent : HttpAgent
  return new Agent({
    keepAlive,
    ...(keepAlive && { maxSockets: 1, maxFreeSockets: 1 }),
    ...(!isLoopback(hostname) && { proxyEnv: env }),
  })
}

function send(
  request: Request,
  agent: HttpAgent,
  onSocket?: (outgoing: ClientRequest, socket: Socket) => void,
): Promise<Response> {
  const url = new URL(request.url)
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      method: request.method,
      agent,
      signal: request.signal,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br',
        'user-agent': 'sidecard-check',
        ...Object.fromEntries(request.headers),
      },
    })
    outgoing.on('socket', (socket) => onSocket?.(outgoing, socket))
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      try {
        resolve(toResponse(incoming, outgoing, onSocket !== undefined))
      } catch (error) {
        outgoing.destroy()
        reject(error instanceof Error ? error : new Error('The response cannot be read.'))
      }
    })
    outgoing.end()
  })
}

/** The statuses of responses that have no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

function toResponse(
  incoming: IncomingMessage,
  outgoing: ClientRequest,
  keepsConnection: boolean,
): Response {
  const headers = new Headers()
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
  }
  const status = incoming.statusCode ?? 0
  // The constructor of `Response` rejects the control characters that Node's parser accepts.
  const statusText = (incoming.statusMessage ?? '').replaceAll(/[^\t -~\x80-\xFF]/g, ' ')
  if (status < 200 || status > 599 || WITHOUT_BODY.has(status)) {
    incoming.resume()
    return bodilessResponse(status, { statusText, headers })
  }
  const body = decodeBody(incoming, headers.get('content-encoding'))
  body.on('close', () => {
    if (!keepsConnection || !incoming.complete) outgoing.destroy()
  })
  const response = new Response(Readable.toWeb(body) as ReadableStream, {
    status,
    statusText,
    headers,
  })
  return addTrailers(response, () => incoming.trailers as Record<string, string>)
}

/** Creates a response with any status. The constructor of `Response` rejects some of them. */
function bodilessResponse(status: number, init: ResponseInit): Response {
  const allowed = status >= 200 && status <= 599
  const response = new Response(null, { ...init, status: allowed ? status : 200 })
  if (!allowed) Object.defineProperty(response, 'status', { value: status })
  return response
}
