import type { Context, Hono as App } from 'hono'
import { Hono } from 'hono/tiny'
import { SidecardError } from '../internal/errors.ts'
import { type Logger, writeLog } from '../internal/logger.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'
import { type SetupProblems, SETUP_PROBLEMS } from '../internal/setup.ts'
import { type Auth, noAuth } from './auth.ts'
import type { DefaultBindings, HonoEnvOf } from './bindings.ts'
import { describeError } from './log-error.ts'
import { METHOD_NOT_ALLOWED, UNAUTHORIZED } from './problem.ts'
import { respond, respondWithProblem } from './respond.ts'
import { listAuthProblems } from './setup-problems.ts'
import { Deadline } from '../internal/user-code.ts'
import { hasMethods, isCount, isFunction, isRecord } from './validate-options.ts'

/**
 * A function that checks one data source. The source is not usable if it throws,
 * rejects, or returns `false` or a `Response` whose status is an error.
 */
export type SourceCheck<B> = (env: B, signal: AbortSignal) => unknown

/** Options for `healthCheck()`. */
export interface HealthCheckOptions<B> {
  /** The data sources by name. Their names are part of the response. */
  readonly sources: Readonly<Record<string, SourceCheck<B>>>
  /** The time limit for each source, in milliseconds. @default 2000 */
  readonly timeoutMs?: number | undefined
  /** Authenticates the caller; use another secret than the endpoint's. @default noAuth() */
  readonly auth?: Auth<B> | undefined
  /** Receives the errors of sources. By default, they are not logged. */
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
  const { sources, timeoutMs = 2_000, auth = noAuth(), logger } = options ?? {}
  assertOptions({ ...options, sources, timeoutMs, auth })
  const app: App<HonoEnvOf<B>> = new Hono<HonoEnvOf<B>>()
  const listProblems: SetupProblems = (env) => listAuthProblems(auth, env as B)
  const handle = async (c: Context<HonoEnvOf<B>>) => {
    // Many uptime checks send HEAD.
    if (!['GET', 'HEAD'].includes(c.req.method)) {
      return respondWithProblem(c, METHOD_NOT_ALLOWED, undefined, { allow: 'GET, HEAD' })
    }
    const env = c.env as B
    if ((await authenticate(auth, c.req.raw, env)) !== 'granted') {
      return respondWithProblem(c, UNAUTHORIZED)
    }
    const results = await Promise.all(
      Object.entries(sources).map(async ([name, check]) => [
        name,
        await checkSource(name, check, env, timeoutMs, logger),
      ]),
    )
    const isHealthy = results.every(([, state]) => state === 'ok')
    const report = { status: isHealthy ? 'ok' : 'failing', sources: Object.fromEntries(results) }
    return respond(c, JSON.stringify(report), 'json', isHealthy ? 200 : 503)
  }
  app.all('/', Object.assign(handle, { [SETUP_PROBLEMS]: listProblems }))
  return app
}

async function authenticate<B>(auth: Auth<B>, request: Request, env: B): Promise<string> {
  try {
    return await auth.authenticate(request, env)
  } catch {
    return 'denied'
  }
}

async function checkSource<B>(
  name: string,
  check: SourceCheck<B>,
  env: B,
  timeoutMs: number,
  logger: Logger | undefined,
): Promise<HealthReport['sources'][string]> {
  const abort = new AbortController()
  const timeout = new Deadline(timeoutMs, (error) => abort.abort(error))
  try {
    assertUsable(await timeout.race((async () => check(env, abort.signal))()))
    return 'ok'
  } catch (error) {
    const fields = {
      msg: 'sidecard health check',
      source: name,
      error: describeError(error, 'full'),
    }
    if (logger !== undefined) writeLog(logger, 'error', fields)
    return timeout.error !== undefined && error === timeout.error ? 'timeout' : 'failing'
  } finally {
    timeout.clear()
  }
}

/** `fetch` does not reject for a 500, and a `ping()` may return whether it succeeded. */
function assertUsable(result: unknown): void {
  if (result === false) throw new Error('The check returned false.')
  if (!isInstance(result, Response)) return
  void result.body?.cancel().catch(() => undefined)
  if (!result.ok) throw new Error(`The check returned the status ${result.status}.`)
}

const OPTIONS = ['sources', 'timeoutMs', 'auth', 'logger']

function assertOptions(options: Readonly<Record<string, unknown>>): void {
  const { sources, timeoutMs, auth } = options
  const problem = describeUnknownName('option', options, OPTIONS)
  if (problem !== undefined) throw new SidecardError('invalid_options', `healthCheck: ${problem}`)
  if (!isRecord(sources) || !Object.values(sources).every(isFunction)) {
    throw invalidOption('sources', 'an object of functions, one for each data source')
  }
  if (!isCount(timeoutMs) || (timeoutMs as number) > MAX_TIMEOUT_MS) {
    throw invalidOption('timeoutMs', `a positive integer up to ${MAX_TIMEOUT_MS}`)
  }
  if (!hasMethods('authenticate')(auth)) {
    throw invalidOption('auth', 'secretHeader(…) or noAuth()')
  }
}

function invalidOption(option: string, expected: string): SidecardError {
  return new SidecardError('invalid_options', `healthCheck: ${option} must be ${expected}.`)
}
