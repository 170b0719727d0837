import { lookup as lookupHost } from 'node:dns'
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { SidecardError } from '../../internal/errors.ts'
import type { Connection } from '../../check/options.ts'
import { isPublicAddress, isPublicHost } from '../../check/public-address.ts'
import { parseEndpointUrl } from '../../service/target.ts'
import { decodeBody } from './decode-body.ts'

/** Sends requests to endpoints on behalf of a command. */
export interface Transport {
  readonly fetch: (request: Request) => Promise<Response>
  /** Opens one connection that stays open between requests. */
  readonly openConnection: () => Connection
  /** @throws {SidecardError} `not_public` for a URL that is not public. */
  assertAllowed(url: string): void
  /** @throws {SidecardError} `not_public` if a host name resolved to an address that is not public. */
  assertNotBlocked(): void
}

/**
 * Creates a transport that parses HTTP strictly. Each request uses a new
 * connection, so that a response that breaks its connection does not affect the
 * next request. `publicOnly` checks the address in the lookup of the connection
 * itself, so that a host name cannot resolve to another address afterwards.
 */
export function createTransport({ publicOnly }: { readonly publicOnly: boolean }): Transport {
  let hasBlocked = false
  const lookup = publicOnly ? publicLookup(() => (hasBlocked = true)) : lookupHost
  return {
    assertAllowed(address) {
      if (publicOnly && !isPublicHost(parseEndpointUrl(address).hostname)) throw notPublic()
    },
    assertNotBlocked() {
      if (hasBlocked) throw notPublic()
    },
    fetch: (request) => send(request, { lookup, agent: false }),
    openConnection: () => openConnection(lookup),
  }
}

function publicLookup(onBlocked: () => void): LookupFunction {
  return (hostname, options, callback) => {
    lookupHost(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        onBlocked()
        return callback(Object.assign(notPublic(), { code: 'EACCES' }), '')
      }
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family)
    })
  }
}

function notPublic(): SidecardError {
  return new SidecardError(
    'not_public',
    'The URL does not resolve to a public address (--public-only). No request was sent.',
  )
}

/** The agents keep one connection open. A request that cannot reuse it opens another one. */
function openConnection(lookup: LookupFunction): Connection {
  const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1 }
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
  let wasReused = false
  return {
    send: (request) => {
      const agent = new URL(request.url).protocol === 'https:' ? agents['https:'] : agents['http:']
      return send(request, { lookup, agent }, (outgoing) => {
        wasReused = outgoing.reusedSocket
      })
    },
    wasReused: () => wasReused,
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  }
}

interface Route {
  readonly lookup: LookupFunction
  readonly agent: HttpAgent | false
}

function send(
  request: Request,
  { lookup, agent }: Route,
  onSocket: (outgoing: ClientRequest) => void = () => undefined,
): Promise<Response> {
  const url = new URL(request.url)
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      method: request.method,
      // A request without an agent uses a new connection.
      agent,
      lookup,
      signal: request.signal,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br',
        'user-agent': 'sidecard-check',
        ...Object.fromEntries(request.headers),
      },
    })
    outgoing.on('socket', () => onSocket(outgoing))
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      try {
        resolve(toResponse(incoming, outgoing, agent !== false))
      } catch (error) {
        outgoing.destroy()
        reject(error instanceof Error ? error : new Error('The response cannot be read.'))
      }
    })
    outgoing.end()
  })
}

/** Statuses of a `Response` without a body. */
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
  if (status < 200 || status > 599 || WITHOUT_BODY.has(status)) {
    incoming.resume()
    return bodilessResponse(status, headers)
  }
  const body = decodeBody(incoming, headers.get('content-encoding'))
  body.on('close', () => {
    if (!keepsConnection || !incoming.complete) outgoing.destroy()
  })
  return new Response(Readable.toWeb(body) as ReadableStream, { status, headers })
}

/** Creates a response with any status. The constructor of `Response` rejects some of them. */
function bodilessResponse(status: number, headers: Headers): Response {
  const allowed = status >= 200 && status <= 599
  const response = new Response(null, { status: allowed ? status : 200, headers })
  if (!allowed) Object.defineProperty(response, 'status', { value: status })
  return response
}
