import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { SidecardError } from '../errors.ts'
import { makeDrainable } from './drain.ts'
import { type RefusedStatus, rawRefusal, refusal } from './problem.ts'

/** What can be served: a sidebar app, or any other Hono app. */
export interface App {
  fetch(request: Request, env: object): Response | Promise<Response>
}

/** How an app is served on Node. */
export interface ServeOptions {
  /** 0 takes a free port. @default 8787 */
  readonly port?: number
  /**
   * The address to listen on. The default can be reached from this machine only; in a
   * container give `'0.0.0.0'`.
   * @default '127.0.0.1'
   */
  readonly hostname?: string
  /** What the app gets as `ctx.env`. @default a copy of `process.env` */
  readonly env?: object
  /** How long the headers of a request may take, in milliseconds. @default 10000 */
  readonly headersTimeoutMs?: number
  /** How long a whole request may take to arrive, in milliseconds. @default 15000 */
  readonly requestTimeoutMs?: number
  /** How long `close()` waits for requests in flight, in milliseconds. @default 10000 */
  readonly drainTimeoutMs?: number
  /**
   * Whether SIGTERM and SIGINT close the server and then end the process with
   * exit code 0. A second signal ends it at once.
   * @default true
   */
  readonly handleSignals?: boolean
  /** Runs after the last answer and before the process ends on a signal: close the database here. */
  readonly onClose?: () => void | Promise<void>
}

/** A server that listens. */
export interface Server {
  /** Where it listens, such as `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /** Stops: idle connections close at once, requests in flight finish. May be called again. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Above this, Node answers 431: the URL is among them. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Serves an app over HTTP/1.1 and resolves when it listens.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`, with what to do
 * @see docs/deploying.md#node
 * @example
 * const server = await serve(app, { port: Number(process.env.PORT ?? 8787) })
 * console.log(server.url)
 */
export async function serve(app: App, options: ServeOptions = {}): Promise<Server> {
  const { port = 8787, hostname = '127.0.0.1', env = { ...process.env } } = options
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 15_000, drainTimeoutMs = 10_000 } = options
  const listener = getRequestListener((request) => app.fetch(request, env), {
    errorHandler: (error) => refusal(error instanceof RequestError ? 400 : 500),
  })
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // How late a timeout may be noticed; Node's own 30 s would triple it.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
      // Refused by the listener instead, with a body that says why.
      requireHostHeader: false,
      // A request without a body costs no stream. Node before 24 leaves this out.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      drainable.track(request, response)
      void listener(request, response)
    },
  )
  // An expectation that Node does not know would get a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const drainable = makeDrainable(server, drainTimeoutMs)
  server.on('clientError', refuseClient)
  await listen(server, port, hostname)

  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= drainable.drain().finally(() => stopListeningToSignals?.()))
  const stopListeningToSignals =
    options.handleSignals === false ? undefined : endOnSignal(close, options.onClose)
  const address = server.address() as AddressInfo
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function listen(server: HttpServer, port: number, hostname: string): Promise<void> {
  server.listen(port, hostname)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE'
      ? new SidecardError(
          'port_in_use',
          `Port ${port} is taken. Stop what uses it, or choose another port.`,
        )
      : new SidecardError(
          'cannot_listen',
          `Cannot listen on ${hostname}:${port} (${code ?? 'unknown reason'}).`,
        )
  }
}

const STATUS_OF_CODE: Readonly<Record<string, RefusedStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is no request, unless an answer is under way on the same connection. */
function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })
    ._httpMessage
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  socket.end(rawRefusal(STATUS_OF_CODE[error.code ?? ''] ?? 400), () => socket.destroy())
}

/** @returns a function that leaves the signals alone again */
function endOnSignal(close: () => Promise<void>, onClose: ServeOptions['onClose']): () => void {
  const signals = ['SIGTERM', 'SIGINT'] as const
  let ending = false
  const end = (signal: NodeJS.Signals) => {
    if (ending) {
      stop()
      process.kill(process.pid, signal)
      return
    }
    ending = true
    void close()
      .then(() => onClose?.())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  const stop = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return stop
}
