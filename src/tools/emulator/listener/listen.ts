import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { TruncatedResponse } from '../faults/effects.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import type { ListenOptions } from '../core/options.ts'

/** A listening emulator. */
export interface Listener extends Awaited<ReturnType<typeof listen>> {}

/** The maximum size of the headers and the URL: `POST /tasks` has a URL of up to 16,000 bytes. */
const MAX_HEADER_BYTES = 65_536

/**
 * Listens for HTTP.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function listen(
  handler: (request: Request, isLocal: boolean) => Promise<Response>,
  { port, hostname, allowHosts }: Required<ListenOptions>,
) {
  const respond = getRequestListener(async (request, env) => {
    // The server only uses HTTP/1.1, so this is never an HTTP/2 response.
    const outgoing = env.outgoing as ServerResponse
    try {
      const { remoteAddress = '' } = env.incoming.socket
      return await handler(request, /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress))
    } catch (error) {
      // Only faults throw here. They close the connection, possibly after half of the response.
      if (error instanceof TruncatedResponse) {
        outgoing.writeHead(200, error.headers)
        outgoing.write(error.partialBody, () => outgoing.destroy())
      } else outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    }
  })
  const limits = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, requestTimeout: 30_000 }
  const server = createServer(limits, (incoming, outgoing) => void respond(incoming, outgoing))
  try {
    await once(server.listen(port, hostname), 'listening')
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, port)
  }
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${hostname === '0.0.0.0' ? '127.0.0.1' : bracketed(hostname)}:${bound}`,
    port: bound,
    /** The `Host` values of this emulator. */
    hosts: new Set([
      ...allowedHosts(hostname, bound),
      ...allowHosts.map((name) => name.toLowerCase()),
    ]),
    /**
     * The token of a visitor, if the address is not loopback: `?token=…` opens the workspace.
     */
    token: isLoopback(bracketed(hostname)) ? undefined : randomBytes(16).toString('base64url'),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Event streams do not end by themselves.
        server.closeAllConnections()
      }),
  }
}

function listenError(error: NodeJS.ErrnoException, port: number): SidecardError {
  if (error.code !== 'EADDRINUSE') {
    const message = `Cannot listen on port ${port} (${error.code ?? 'unknown'}). Choose another address or port.`
    return new SidecardError('cannot_listen', message, { cause: error })
  }
  const message = `Port ${port} is in use. Stop the other process or choose another port with --port (0 picks a free port).`
  return new SidecardError('port_in_use', message, { cause: error })
}

/**
 * Returns the valid `Host` values of a listener: names that always mean this
 * machine, and the machine's addresses if it listens on all of them. DNS names
 * are not included, because others can point them to this machine.
 */
function allowedHosts(hostname: string, port: number): ReadonlySet<string> {
  const isEverywhere = hostname === '0.0.0.0' || hostname === '::'
  const findInterfaces = () => Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const addresses = isEverywhere ? findInterfaces().map(({ address }) => address) : [hostname]
  const names = ['localhost', '127.0.0.1', '[::1]', ...addresses.map(bracketed)]
  // Browsers omit the default port from the Host header.
  const ports = port === 80 ? ['', ':80'] : [`:${port}`]
  return new Set(names.flatMap((name) => ports.map((suffix) => name + suffix)))
}

/** Returns an address as it is written in a URL. */
function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address.toLowerCase()
}
