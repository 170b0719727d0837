import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SidecardError } from '../internal/errors.ts'
import { Deadline, runUserCode } from '../internal/user-code.ts'
import { BackgroundWork } from './background.ts'
import { handleClientError } from './client-error.ts'
import { type ConnectionTracker, trackConnections } from './connections.ts'
import { GuardedResponse } from './guarded-response.ts'
import { createListener } from './listener.ts'
import {
  type App,
  assertApp,
  type ResolvedOptions,
  resolveServeOptions,
  type ServeOptions,
} from './options.ts'
import { reportSetupProblems } from './setup.ts'
import { closeOnSignal } from './signals.ts'
import { handleUnhandledRejections } from './unhandled-rejections.ts'

/** A running server. */
export interface Server {
  /**
   * The URL of the server, such as `http://127.0.0.1:8787` or `http://[::1]:8787`. With the option
   * `path`, `unix:` and the path.
   */
  readonly url: string
  /** The port; 0 with the option `path`. */
  readonly port: number
  /**
   * Stops the server. It accepts connections until none has arrived for 100 ms, for at
   * most `stopDelayMs`. Then it closes idle connections, and completes requests in
   * flight and background work (`ctx.waitUntil()`, audit records, cache entries), for
   * at most `drainTimeoutMs` in all. Then `onClose` runs. Later calls return the same
   * promise.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The maximum size of headers and URL, above which Node returns 431. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Serves an app over HTTP/1.1. Resolves when the server listens.
 *
 * At start, a missing secret or an invalid environment binding is reported on
 * standard error. The server starts anyway: the app rejects every request until
 * the problem is solved.
 *
 * @throws {SidecardError} `invalid_options`, `port_in_use` or `cannot_listen`, with what to do
 * @see docs/guides/deploy.md#node
 * @example
 * const server = await serve(app, { port: process.env.PORT })
 * console.log(server.url)
 */
export async function serve(app: App, options: ServeOptions = {}): Promise<Server> {
  assertApp('serve', app)
  const resolved = resolveServeOptions(options)
  const background = new BackgroundWork()
  const { server, connections } = createHttpServer(app, resolved, background)
  await listen(server, resolved)
  void reportSetupProblems(app, resolved.env)

  let closing: Promise<boolean> | undefined
  const finish = (): Promise<boolean> => (closing ??= stop())
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= finish().then(() => undefined))
  const cleanups = [handleUnhandledRejections(resolved.unhandledRejections)]
  if (resolved.handleSignals) cleanups.push(closeOnSignal(finish))

  /** Stops the server. Returns whether all work was finished. */
  async function stop(): Promise<boolean> {
    try {
      const isDrained = await drain(connections, background, resolved)
      await runOnClose(resolved)
      return isDrained
    } finally {
      for (const cleanUp of cleanups) cleanUp()
    }
  }

  return {
    ...describeAddress(server.address() as AddressInfo | string),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createHttpServer(
  app: App,
  { env, headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: ResolvedOptions,
  background: BackgroundWork,
) {
  const listener = createListener(app, env, background.executionContext)
  const server = createServer(
    {
      ServerResponse: GuardedResponse,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Node checks timeouts at this interval. Its default of 30 s would triple them.
      connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs, requestTimeoutMs),
      // The listener rejects requests without a host, with a body that explains the reason.
      requireHostHeader: false,
      // A request without a body does not need a stream. Node before 24 ignores this option.
      optimizeEmptyRequests: true,
    },
    (request, response) => {
      connections.track(response)
      response.work = listener(request, response)
    },
  )
  const connections = trackConnections(server, (work) => background.add(work))
  // By default, Node responds to an unknown expectation with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    handleClientError(error, socket, connections),
  )
  return { server, connections }
}

async function runOnClose({ onClose, onCloseTimeoutMs }: ResolvedOptions): Promise<void> {
  if (onClose === undefined) return
  const deadline = new Deadline(onCloseTimeoutMs, 'onCloseTimeoutMs')
  try {
    await runUserCode(onClose, deadline)
  } finally {
    deadline.clear()
  }
}

/**
 * Waits for responses and for background work. Abandons the rest after the timeout, and returns
 * whether everything finished.
 */
async function drain(
  connections: ConnectionTracker,
  background: BackgroundWork,
  { drainTimeoutMs, stopDelayMs }: ResolvedOptions,
): Promise<boolean> {
  const deadline = new Deadline(drainTimeoutMs)
  const drained = connections.drain(stopDelayMs, () => reportBusy(stopDelayMs))
  try {
    await deadline.race(drained.then(() => background.settle()))
    return true
  } catch {
    const abandoned = connections.size + background.size
    reportAbandoned(connections.size, background.size, drainTimeoutMs)
    connections.cutOff()
    await drained
    return abandoned === 0
  } finally {
    deadline.clear()
  }
}

function reportBusy(delayMs: number): void {
  process.stderr.write(
    `sidecard: new connections still arrived ${delayMs} ms after the stop began (stopDelayMs), and are now rejected. Remove the process from its load balancer before you stop it.\n`,
  )
}

function reportAbandoned(responses: number, tasks: number, timeoutMs: number): void {
  if (responses + tasks === 0) return
  const counts = `${count(responses, 'response')} and ${count(tasks, 'background task')}`
  process.stderr.write(`sidecard: abandoned ${counts} after ${timeoutMs} ms (drainTimeoutMs).\n`)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function describeAddress(address: AddressInfo | string): Pick<Server, 'url' | 'port'> {
  if (typeof address === 'string') return { url: `unix:${address}`, port: 0 }
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${host}:${address.port}`, port: address.port }
}

async function listen(
  server: HttpServer,
  { port, hostname, path }: ResolvedOptions,
): Promise<void> {
  if (path === undefined) server.listen(port, hostname)
  else server.listen({ path })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (path !== undefined) throw socketError(path, code)
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

function socketError(path: string, code = 'unknown reason'): SidecardError {
  return code === 'EADDRINUSE'
    ? new SidecardError(
        'port_in_use',
        `The socket ${path} exists. Stop the process that uses it, or remove the file if none does.`,
      )
    : new SidecardError(
        'cannot_listen',
        `Cannot listen on the socket ${path} (${code}). Choose a path in an existing, writable directory.`,
      )
}
