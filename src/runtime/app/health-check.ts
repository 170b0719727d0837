import type { Context, Hono as App } from 'hono'
import { Hono } from 'hono/tiny'
import { type Logger, writeLog } from '../internal/logger.ts'
import {
  func,
  hasMethods,
  isRecord,
  kind,
  milliseconds,
  readOptions,
  required,
  withDefault,
} from '../internal/read-options.ts'
import { type SetupProblems, SETUP_PROBLEMS } from '../internal/setup.ts'
import { isTimeout, runWithin } from '../internal/user-code.ts'
import { type Auth, authKind, listAuthProblems, noAuth } from './request/auth.ts'
import type { DefaultBindings, HonoEnvOf } from './request/bindings.ts'
import { describeError } from './observe/log-error.ts'
import { respond, respondWithProblem } from './request/respond.ts'

/**
 * A function that checks one data source. The source is not usable if the function
 * throws, rejects, or returns `false` or a `Response` with an error status.
 */
export type SourceCheck<B> = (env: B, signal: AbortSignal) => unknown

/** Options of `healthCheck()`. */
export interface HealthCheckOptions<B> {
  /** The data sources by name. Their names are part of the response. */
  readonly sources: Readonly<Record<string, SourceCheck<B>>>
  /** The timeout of each source, in milliseconds. @default 2000 */
  readonly timeoutMs?: number | undefined
  /** Authenticates the caller. Do not use the endpoint's secret. @default noAuth() */
  readonly auth?: Auth<B> | undefined
  /** Logs the errors of sources. By default, they are not logged. */
  readonly logger?: Logger | undefined
}

/** The response of a health check. */
export interface HealthReport {
  readonly status: 'ok' | 'failing'
  readonly sources: Readonly<Record<string, 'ok' | 'failing' | 'timeout'>>
}

const MAX_TIMEOUT_MS = 60_000

/**
 * Creates a Hono app for load balancers and uptime checks. It responds to `GET`
 * with 200 if all sources are usable, and with 503 otherwise. Sources are
 * checked in parallel. Mount it next to the endpoint.
 *
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 * @see docs/guides/observing.md#health-checks
 * @example
 * server.route('/health', healthCheck({ sources: { database: () => pool.query('select 1') } }))
 */
export function healthCheck(
  options: HealthCheckOptions<DefaultBindings>,
): App<HonoEnvOf<DefaultBindings>>
export function healthCheck<B>(options: HealthCheckOptions<B>): App<HonoEnvOf<B>>
export function healthCheck<B>(options: HealthCheckOptions<B>): App<HonoEnvOf<B>> {
  const read = readOptions('healthCheck', options, {
    sources: required(
      kind(
        'an object of functions, one for each data source',
        (value) => isRecord(value) && Object.values(value).every(func.accepts),
      ),
    ),
    timeoutMs: withDefault(milliseconds(1, MAX_TIMEOUT_MS), 2_000),
    auth: withDefault(authKind, noAuth()),
    logger: kind('an object with an error method', (value) => hasMethods(value, 'error')),
  }) as HealthCheck
  const { auth, timeoutMs } = read
  const checkAll = shareCalls((env) => checkSources(read, env))
  const app = new Hono()
  const listProblems: SetupProblems = (env) => listAuthProblems(auth, env, timeoutMs)
  const handle = async (c: Context) => {
    // Many uptime checks send HEAD.
    if (!['GET', 'HEAD'].includes(c.req.method)) {
      return respondWithProblem(c, 'method_not_allowed', undefined, { allow: 'GET, HEAD' })
    }
    if (!(await isGranted(read, c))) return respondWithProblem(c, 'unauthorized')
    const report = await checkAll(c.env)
    return respond(c, JSON.stringify(report), 'json', report.status === 'ok' ? 200 : 503)
  }
  app.all('/', Object.assign(handle, { [SETUP_PROBLEMS]: listProblems }))
  return app as unknown as App<HonoEnvOf<B>>
}

/** The options with their defaults. */
type HealthCheck = Required<Pick<HealthCheckOptions<unknown>, 'sources'>> & {
  readonly timeoutMs: number
  readonly auth: Auth
  readonly logger: Logger | undefined
}

async function isGranted({ auth, timeoutMs }: HealthCheck, c: Context): Promise<boolean> {
  try {
    const authenticate = () => auth.authenticate(c.req.raw, c.env)
    return (await runWithin(timeoutMs, authenticate)) === 'granted'
  } catch {
    return false
  }
}

/**
 * Lets concurrent probes of one environment share a call, so that they do not
 * multiply the load.
 */
function shareCalls<R>(call: (env: unknown) => Promise<R>): (env: unknown) => Promise<R> {
  const pending = new Map<unknown, Promise<R>>()
  return (env) => {
    let running = pending.get(env)
    if (running === undefined) {
      running = call(env).finally(() => pending.delete(env))
      pending.set(env, running)
    }
    return running
  }
}

async function checkSources(health: HealthCheck, env: unknown): Promise<HealthReport> {
  const results = await Promise.all(
    Object.entries(health.sources).map(
      async ([name, check]) => [name, await checkSource(name, check, health, env)] as const,
    ),
  )
  const isHealthy = results.every(([, state]) => state === 'ok')
  return { status: isHealthy ? 'ok' : 'failing', sources: Object.fromEntries(results) }
}

async function checkSource(
  name: string,
  check: SourceCheck<unknown>,
  { timeoutMs, logger }: HealthCheck,
  env: unknown,
): Promise<HealthReport['sources'][string]> {
  try {
    await runWithin(timeoutMs, (signal) => check(env, signal), assertUsable)
    return 'ok'
  } catch (error) {
    const fields = {
      msg: 'sidecard health check',
      source: name,
      error: describeError(error, 'full'),
    }
    if (logger !== undefined) writeLog(logger, 'error', fields)
    return isTimeout(error) ? 'timeout' : 'failing'
  }
}

/**
 * Throws unless a source is usable: `fetch` does not reject for a 500, and a
 * `ping()` may return `false`. A response is recognized by its fields, because
 * hosts replace the global class.
 */
function assertUsable(result: unknown): void {
  if (result === false) throw new Error('The check returned false.')
  const { ok, status, body } = (result ?? {}) as Partial<Response>
  if (typeof ok !== 'boolean' || typeof status !== 'number') return
  void body?.cancel().catch(() => undefined)
  if (!ok) throw new Error(`The check returned the status ${status}.`)
}
