import type { ExecutionContext } from 'hono'
import { DEV_VARIABLE } from '../internal/headers.ts'
import { readProperty } from '../internal/hostile-values.ts'
import {
  flag,
  func,
  hasMethods,
  integer,
  invalidOption,
  kind,
  milliseconds,
  oneOf,
  readOptions,
  record,
  text,
  withDefault,
} from '../internal/read-options.ts'

/** An app that a host accepts: a sidebar app, or any other Hono app. */
export interface App {
  fetch(
    request: Request,
    env: object,
    executionContext: ExecutionContext,
  ): Response | Promise<Response>
}

/** Options of `toNodeHandler()`. */
export interface NodeHandlerOptions {
  /** The environment bindings of the app (`ctx.env`). @default a copy of `process.env` */
  readonly env?: object | undefined
}

/** Options of `serve()`. */
export interface ServeOptions extends NodeHandlerOptions {
  /**
   * The port to listen on; 0 picks a free one. A string is accepted as well: `port:
   * process.env.PORT`. An empty string counts as absent.
   * @default 8787
   */
  readonly port?: number | string | undefined
  /**
   * The address to listen on. The default is only reachable from this machine. Use
   * `'0.0.0.0'` in a container, and `'::'` for IPv6.
   * @default '127.0.0.1'
   */
  readonly hostname?: string | undefined
  /**
   * The path of a Unix socket to listen on, instead of a port and an address. Its directory must
   * exist. The server removes the socket when it closes.
   */
  readonly path?: string | undefined
  /** Timeout for the headers of a request, in milliseconds. @default 10000 */
  readonly headersTimeoutMs?: number | undefined
  /**
   * Timeout for a request to arrive completely, in milliseconds. At least `headersTimeoutMs`.
   * @default 15000, or `headersTimeoutMs` if that is longer
   */
  readonly requestTimeoutMs?: number | undefined
  /**
   * How long an idle connection stays open, in milliseconds. Behind a load balancer, set it to
   * more than the balancer's own idle timeout. @default 5000
   */
  readonly keepAliveTimeoutMs?: number | undefined
  /**
   * How long the server waits when it closes, in milliseconds: for requests in
   * flight, slow clients, and background work such as `ctx.waitUntil()`, audit
   * records and cache entries. The default is longer than the timeout of any action.
   * @default 25000
   */
  readonly drainTimeoutMs?: number | undefined
  /**
   * The longest time that the server accepts new connections after `close()` or a signal, in
   * milliseconds. It rejects them earlier if none has arrived for 100 ms. This time is part of
   * `drainTimeoutMs`.
   * @default 5000, or 0 if the environment has `SIDECARD_DEV=1`
   */
  readonly stopDelayMs?: number | undefined
  /**
   * Whether SIGTERM and SIGINT close the server and then end the process. The
   * exit code is 0, or 1 if something was abandoned or `onClose` failed. The process
   * waits for all its servers. A second signal ends it immediately, with exit code
   * 130 or 143.
   * @default true
   */
  readonly handleSignals?: boolean | undefined
  /**
   * Whether the rejection of a promise that was not awaited is only logged, or ends
   * the process with exit code 1, as Node does by default. A handler of your own
   * (`process.on('unhandledRejection', …)`) replaces the log. If one server of the
   * process has `'exit'`, that applies to all.
   * @default 'log'
   */
  readonly unhandledRejections?: 'log' | 'exit' | undefined
  /**
   * Runs once after the last response and the background work, on a signal and on
   * `close()`. Use it to close a database, for example.
   */
  readonly onClose?: (() => void | Promise<void>) | undefined
  /** Timeout for `onClose`, in milliseconds. @default 3000 */
  readonly onCloseTimeoutMs?: number | undefined
}

/** {@link ServeOptions} with the defaults applied. */
export type ResolvedOptions = ReturnType<typeof resolveServeOptions>

const DEFAULT_PORT = 8787
const PORT = integer(0, 65_535)

const SERVE_KINDS = {
  port: kind<number | string>(PORT.expected, isPort),
  hostname: text,
  path: text,
  env: record,
  headersTimeoutMs: withDefault(milliseconds(), 10_000),
  requestTimeoutMs: milliseconds(),
  keepAliveTimeoutMs: withDefault(milliseconds(), 5_000),
  drainTimeoutMs: withDefault(milliseconds(0), 25_000),
  stopDelayMs: milliseconds(0),
  handleSignals: withDefault(flag, true),
  unhandledRejections: withDefault(oneOf('log', 'exit'), 'log'),
  onClose: func,
  onCloseTimeoutMs: withDefault(milliseconds(), 3_000),
}

function isPort(value: unknown): boolean {
  if (typeof value !== 'string') return PORT.accepts(value)
  return value === '' || (/^\d+$/.test(value) && PORT.accepts(Number(value)))
}

/** @throws {SidecardError} `invalid_options` */
export function assertApp(caller: string, app: unknown): asserts app is App {
  if (hasMethods(app, 'fetch')) return
  throw invalidOption(caller, 'the app', 'an object with a fetch method, such as a Hono app', app)
}

/** @throws {SidecardError} `invalid_options`, with the name of the option */
export function resolveServeOptions(options: ServeOptions) {
  const read = readOptions('serve', options, SERVE_KINDS)
  const requestTimeoutMs = read.requestTimeoutMs ?? Math.max(15_000, read.headersTimeoutMs)
  if (requestTimeoutMs < read.headersTimeoutMs) {
    const expected = 'at least headersTimeoutMs, because a request includes its headers'
    throw invalidOption('serve', 'requestTimeoutMs', expected)
  }
  if (read.path !== undefined && (read.port ?? read.hostname) !== undefined) {
    throw invalidOption('serve', 'path', 'the only address: leave out port and hostname')
  }
  const env = read.env ?? { ...process.env }
  // A reload must not wait.
  const stopDelayMs = read.stopDelayMs ?? (readProperty(env, DEV_VARIABLE) === '1' ? 0 : 5_000)
  return {
    ...read,
    // `Number('')` would be 0, which stands for any free port.
    port: read.port === '' ? DEFAULT_PORT : Number(read.port ?? DEFAULT_PORT),
    hostname: read.hostname ?? '127.0.0.1',
    env,
    requestTimeoutMs,
    stopDelayMs: Math.min(stopDelayMs, read.drainTimeoutMs),
  }
}

/** @throws {SidecardError} `invalid_options`, with the name of the option */
export function resolveEnv(options: NodeHandlerOptions): object {
  return readOptions('toNodeHandler', options, { env: record }).env ?? { ...process.env }
}
