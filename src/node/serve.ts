import { once } from 'node:events'
import { createServer, type Server as HttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { SidecardError } from '../internal/errors.ts'
import { type ConnectionTracker, trackConnections } from './connections.ts'
import {
  type App,
  assertApp,
  type ResolvedOptions,
  resolveOptions,
  type ServeOptions,
} from './options.ts'
import {
  GuardedResponse,
  problemResponse,
  type ProblemStatus,
  rawProblemResponse,
} from './problem.ts'
import { reportSetupProblems } from './setup.ts'
import { closeOnSignal } from './signals.ts'

/** A running server. */
export interface Server {
  /** The URL of the server, such as `http://127.0.0.1:8787` or `http://[::1]:8787`. */
  readonly url: string
  readonly port: number
  /**
   * Stops the server. Idle connections are closed immediately, requests in flight
   * are completed, and then `onClose` runs. Later calls return the same promise.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Node returns 431 above this limit, which includes the URL. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Serves an app over HTTP/1.1. Resolves when the server listens.
 *
 * At start, a missing secret or an invalid environment binding is reported on
 * standard error. The server starts anyway: the app rejects every request until
 * the problem is solved.
 *
 * @throws {SidecardError} `invalid_options`, `port_in_use` or `cannot_listen`, with what to do
 * @see docs/deploying.md#node
 * @example
 * const server = await serve(app, { port: Number(process.env.PORT ?? 8787) })
 * console.log(server.url)
 */
export async function serve(app: App, options: ServeOptions = {}): Promise<Server> {
  assertApp(app)
  const resolved = resolveOptions(options)
  const { server, connections } = createHttpServer(app, resolved)
  await listen(server, resolved)
  void reportSetupProblems(app, resolved.env)

  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= connections
      .drain()
      .then(() => resolved.onClose?.())
      .finally(() => ignoreSignals?.()))
  const ignoreSignals = resolved.handleSignals ? closeOnSignal(close) : undefined
  const address = server.address() as AddressInfo
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createHttpServer(
  app: App,
  { env, headersTimeoutMs, requestTimeoutMs, drainTimeoutMs }: ResolvedOptions,
) {
  const listener = getRequestListener((request) => app.fetch(request, env), {
    errorHandler: (error) => problemResponse(error instanceof RequestError ? 400 : 500),
  })
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // The interval of timeout checks. Node's default of 30 s would triple the timeouts.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
      // The listener rejects such requests instead, with a body that explains the reason.
      requireHostHeader: false,
      // A request without a body does not need a stream. Node before 24 ignores this option.
      optimizeEmptyRequests: true,
      ServerResponse: GuardedResponse as typeof ServerResponse,
    },
    (request, response) => {
      connections.track(request, response)
      void listener(request, response)
    },
  )
  const connections = trackConnections(server, drainTimeoutMs)
  // By default, Node responds to an unknown expectation with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    handleClientError(error, socket, connections),
  )
  return { server, connections }
}

async function listen(server: HttpServer, { port, hostname }: ResolvedOptions): Promise<void> {
  server.listen(port, hostname)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE'
      ? new SidecardError(
          'port_in_use',
          `Port ${port} is in use. Stop the other process or choose another port.`,
        )
      : new SidecardError(
          'cannot_listen',
          `Cannot listen on ${hostname}:${port} (${code ?? 'unknown reason'}). Choose another hostname or port.`,
        )
  }
}

const STATUS_FOR_CODE: Readonly<Record<string, ProblemStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Rejects invalid requests, after the responses to earlier requests of the connection. */
function handleClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  connections: ConnectionTracker,
): void {
  const pending = connections.pendingResponse(socket)
  // The error is in the body of the current request, whose response has started and cannot be
  // replaced.
  const isTruncated = pending?.headersSent === true && !pending.req.complete
  if (code === 'ECONNRESET' || !socket.writable || isTruncated) {
    socket.destroy()
    return
  }
  const reject = () => {
    if (socket.writable) {
      const status = STATUS_FOR_CODE[code] ?? 400
      socket.end(rawProblemResponse(status), () => socket.destroy())
    } else socket.destroy()
  }
  if (pending?.req.complete) pending.once('close', reject)
  else reject()
}
