import { lookup as lookupHost } from 'node:dns'
import { request as requestHttp } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { SidecardError } from '../../errors.ts'
import { isPublicAddress, isPublicHost } from '../../check/public-address.ts'
import { endpointUrl } from '../../desk/target.ts'
import { decoded } from './decoded.ts'

/** Sends the checker's requests. */
export interface Transport {
  readonly fetch: (request: Request) => Promise<Response>
  /** @throws {SidecardError} `not_public` for an address that is refused before any request. */
  assertAllowed(url: string): void
  /** @throws {SidecardError} `not_public` when a name turned out to lead to an address that is refused. */
  assertNothingRefused(): void
}

/**
 * Makes a transport that opens a connection of its own for each request, so
 * that an answer which breaks one says nothing about the next, and that reads
 * HTTP strictly. With `publicOnly` the address that a name leads to is looked at
 * in the same look-up that the connection uses: a name that changes in between
 * gains nothing.
 */
export function createTransport({ publicOnly }: { readonly publicOnly: boolean }): Transport {
  let refusedOne = false
  const lookup = publicOnly ? publicLookup(() => (refusedOne = true)) : lookupHost
  return {
    assertAllowed(address) {
      if (publicOnly && !isPublicHost(endpointUrl(address).hostname)) throw refused()
    },
    assertNothingRefused() {
      if (refusedOne) throw refused()
    },
    fetch: (request) => send(request, lookup),
  }
}

function publicLookup(onRefused: () => void): LookupFunction {
  return (hostname, options, callback) => {
    lookupHost(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        onRefused()
        return callback(Object.assign(refused(), { code: 'EACCES' }), '')
      }
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family)
    })
  }
}

function refused(): SidecardError {
  return new SidecardError(
    'not_public',
    'The address is not public, and --public-only was given: no request was sent to it.',
  )
}

function send(request: Request, lookup: LookupFunction): Promise<Response> {
  const url = new URL(request.url)
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = open(url, {
      method: request.method,
      // No agent and no keep-alive: see createTransport.
      agent: false,
      lookup,
      signal: request.signal,
      headers: {
        accept: '*/*',
        'accept-encoding': 'gzip, br',
        'user-agent': 'sidecard-check',
        ...Object.fromEntries(request.headers),
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      try {
        resolve(toResponse(incoming, outgoing))
      } catch (error) {
        outgoing.destroy()
        reject(error instanceof Error ? error : new Error('The answer cannot be read.'))
      }
    })
    outgoing.end()
  })
}

/** Statuses that a `Response` may not have a body with. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

function toResponse(incoming: IncomingMessage, outgoing: ClientRequest): Response {
  const headers = new Headers()
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
  }
  const status = incoming.statusCode ?? 0
  if (status < 200 || status > 599 || WITHOUT_BODY.has(status)) {
    incoming.resume()
    return bare(status, headers)
  }
  const body = decoded(incoming, headers.get('content-encoding'))
  body.on('close', () => outgoing.destroy())
  return new Response(Readable.toWeb(body) as ReadableStream, { status, headers })
}

/** A response whose status `Response` may not take in its constructor. */
function bare(status: number, headers: Headers): Response {
  const allowed = status >= 200 && status <= 599
  const response = new Response(null, { status: allowed ? status : 200, headers })
  if (!allowed) Object.defineProperty(response, 'status', { value: status })
  return response
}
