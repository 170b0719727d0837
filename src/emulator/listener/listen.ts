import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { CutOff } from '../faults/damage.ts'
import { SidecardError } from '../../errors.ts'
import type { ListenOptions } from '../options.ts'
import { allowedHosts } from './allowed-hosts.ts'

/** An emulator that listens. */
export interface Listening {
  readonly url: string
  readonly port: number
  /** The values of `Host` that mean this emulator. */
  readonly hosts: ReadonlySet<string>
  close(): Promise<void>
}

/** `POST /tasks` carries up to 16,000 bytes in its address. */
const MAX_HEADER_BYTES = 65_536

/**
 * Listens for HTTP.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function listen(
  handler: (request: Request) => Promise<Response>,
  { port = 0, hostname = '127.0.0.1' }: ListenOptions,
): Promise<Listening> {
  const answer = getRequestListener(async (request, env) => {
    // Nothing here speaks HTTP/2.
    const outgoing = env.outgoing as ServerResponse
    try {
      return await handler(request)
    } catch (error) {
      // A fault closes the connection, perhaps after half of the answer; nothing else gets here.
      if (error instanceof CutOff) {
        outgoing.writeHead(200, error.headers)
        outgoing.write(error.half, () => outgoing.destroy())
      } else outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    }
  })
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, requestTimeout: 30_000 },
    (incoming, outgoing) => void answer(incoming, outgoing),
  )
  await bind(server, port, hostname)
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${hostname === '0.0.0.0' ? '127.0.0.1' : bracketed(hostname)}:${bound}`,
    port: bound,
    hosts: allowedHosts(hostname, bound),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Streams of events never end by themselves.
        server.closeAllConnections()
      }),
  }
}

function bind(server: Server, port: number, hostname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)))
    server.listen(port, hostname, () => resolve())
  })
}

function listenError(error: NodeJS.ErrnoException, port: number): SidecardError {
  return error.code === 'EADDRINUSE'
    ? new SidecardError(
        'port_in_use',
        `Port ${port} is taken: stop what listens there, or choose another with --port (0 takes any that is free).`,
        { cause: error },
      )
    : new SidecardError(
        'cannot_listen',
        `The emulator cannot listen on port ${port} (${error.code ?? 'unknown'}): choose another address or port.`,
        { cause: error },
      )
}

function bracketed(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}
