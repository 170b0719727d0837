import { SidecardError } from '../internal/errors.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'

/** An app that `serve()` accepts: a sidebar app, or any other Hono app. */
export interface App {
  fetch(request: Request, env: object): Response | Promise<Response>
}

/** Options for `serve()`. */
export interface ServeOptions {
  /** The port to listen on; 0 picks a free one. @default 8787 */
  readonly port?: number
  /**
   * The address to listen on. The default is reachable from this machine only.
   * Use `'0.0.0.0'` in a container, and `'::'` for IPv6.
   * @default '127.0.0.1'
   */
  readonly hostname?: string
  /** The environment bindings of the app (`ctx.env`). @default a copy of `process.env` */
  readonly env?: object
  /** Timeout for the headers of a request, in milliseconds. @default 10000 */
  readonly headersTimeoutMs?: number
  /**
   * Timeout for a request to arrive completely, in milliseconds. At least `headersTimeoutMs`.
   * @default 15000, or `headersTimeoutMs` if that is longer
   */
  readonly requestTimeoutMs?: number
  /**
   * How long to wait for requests in flight when the server closes, in
   * milliseconds. @default 10000
   */
  readonly drainTimeoutMs?: number
  /**
   * Whether SIGTERM and SIGINT close the server and then end the process. The
   * exit code is 0, or 1 if `onClose` failed. The process waits for all its
   * servers. A second signal ends it immediately.
   * @default true
   */
  readonly handleSignals?: boolean
  /**
   * Runs once after the last response, on a signal and on `close()`. Use it to
   * close a database, for example.
   */
  readonly onClose?: () => void | Promise<void>
}

/** {@link ServeOptions} with the defaults applied. */
export type ResolvedOptions = Required<Omit<ServeOptions, 'onClose'>> &
  Pick<ServeOptions, 'onClose'>

const OPTION_NAMES = Object.keys({
  port: 0,
  hostname: 0,
  env: 0,
  headersTimeoutMs: 0,
  requestTimeoutMs: 0,
  drainTimeoutMs: 0,
  handleSignals: 0,
  onClose: 0,
} satisfies Record<keyof ServeOptions, 0>)

/** The maximum delay of a timer. A longer one would fire immediately. */
const MAX_TIMEOUT_MS = 2_147_483_647

/** @throws {SidecardError} `invalid_options` */
export function assertApp(app: unknown): asserts app is App {
  const isApp = typeof (app as App | null | undefined)?.fetch === 'function'
  assertOption(
    isApp,
    'the first argument',
    'an app with a fetch method, such as sidecard(…) returns',
  )
}

/**
 * Validates the options and applies the defaults.
 *
 * @throws {SidecardError} `invalid_options`, with the name of the option
 */
export function resolveOptions(options: ServeOptions): ResolvedOptions {
  assertKnown(options)
  const { port = 8787, hostname = '127.0.0.1', env = { ...process.env } } = options
  const { headersTimeoutMs = 10_000, drainTimeoutMs = 10_000, handleSignals = true } = options
  assertOption(isInteger(port, 0, 65_535), 'port', 'an integer from 0 to 65535')
  assertOption(isText(hostname), 'hostname', 'a non-empty string')
  assertOption(typeof env === 'object' && env !== null, 'env', 'an object')
  assertTimeout('headersTimeoutMs', headersTimeoutMs, 1)
  const { requestTimeoutMs = Math.max(15_000, headersTimeoutMs), onClose } = options
  assertTimeout('requestTimeoutMs', requestTimeoutMs, 1)
  assertOption(
    requestTimeoutMs >= headersTimeoutMs,
    'requestTimeoutMs',
    'at least headersTimeoutMs, because a request includes its headers',
  )
  assertTimeout('drainTimeoutMs', drainTimeoutMs, 0)
  assertOption(typeof handleSignals === 'boolean', 'handleSignals', 'true or false')
  assertOption(onClose === undefined || typeof onClose === 'function', 'onClose', 'a function')
  return {
    port,
    hostname,
    env,
    headersTimeoutMs,
    requestTimeoutMs,
    drainTimeoutMs,
    handleSignals,
    ...(onClose !== undefined && { onClose }),
  }
}

function assertKnown(options: unknown): void {
  assertOption(typeof options === 'object' && options !== null, 'the second argument', 'an object')
  const problem = describeUnknownName('option', options as object, OPTION_NAMES)
  if (problem !== undefined) throw new SidecardError('invalid_options', `serve: ${problem}`)
}

function assertTimeout(name: string, value: unknown, min: number): void {
  const limits = `an integer from ${min} to ${MAX_TIMEOUT_MS} (milliseconds)`
  assertOption(isInteger(value, min, MAX_TIMEOUT_MS), name, limits)
}

function isInteger(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function assertOption(holds: boolean, name: string, expected: string): void {
  if (!holds) throw new SidecardError('invalid_options', `serve: ${name} must be ${expected}.`)
}
