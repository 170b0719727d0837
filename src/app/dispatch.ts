import type { Context } from 'hono'
import { andThen, attempt } from '../internal/and-then.ts'
import type { LogFields, LogLevel } from '../internal/logger.ts'
import type { AuthResult } from './auth.ts'
import type { BindingsOf, HonoEnvOf } from './bindings.ts'
import { respondToDataFetch } from './data-response.ts'
import { InvalidBindings, type ReadBindings } from './environment.ts'
import { fetchPayload } from './fetch-data.ts'
import { respondToHandshake, validateCode } from './handshake.ts'
import { describeError } from './log-error.ts'
import type { ResolvedOptions } from './options.ts'
import {
  DUPLICATED_PARAMETER,
  INVALID_BINDINGS,
  METHOD_NOT_ALLOWED,
  MISSING_REQUEST_TYPE,
  type Problem,
  UNAUTHORIZED,
  UNKNOWN_REQUEST_TYPE,
} from './problem.ts'
import { parseQuery, type Query } from './query.ts'
import { RequestContext } from './request-context.ts'
import { logRequest } from './request-log.ts'
import { respondWithProblem } from './respond.ts'

/** A rejected request: its problem response and the fields of its log line. */
interface Rejection {
  readonly problem: Problem
  readonly parameters?: readonly string[]
  readonly level?: LogLevel
  readonly fields?: LogFields
}

/**
 * Handles a request: method, request type, bindings, authentication,
 * parameters, and then the handshake or the data fetch. A wrong method or
 * request type is rejected before authentication, so that a visitor who opens
 * the URL learns what it is.
 */
export function dispatch<T>(
  c: Context<HonoEnvOf<T>>,
  app: ResolvedOptions<T>,
  readBindings: ReadBindings | undefined,
): Response | Promise<Response> {
  const startedAtMs = Date.now()
  const query = parseQuery(c.req.url)
  const unreadable = rejectMethod(c.req.method) ?? rejectRequestType(query)
  if (unreadable !== undefined) return reject(unreadable)
  return readBindings === undefined
    ? authenticateIn(c.env as BindingsOf<T>)
    : readBindings(c.env).then((env) =>
        env instanceof InvalidBindings
          ? reject(rejectBindings(env))
          : authenticateIn(env as BindingsOf<T>),
      )

  function authenticateIn(env: BindingsOf<T>): Response | Promise<Response> {
    return andThen(authenticate(c.req.raw, env, app), (denial) => {
      const rejection = denial ?? rejectParameters(query)
      return rejection === undefined ? handle(env) : reject(rejection)
    })
  }

  function handle(env: BindingsOf<T>): Response | Promise<Response> {
    if (query.requestType === 'verify') {
      logRequest(app, 'info', { requestType: 'verify', status: 200, outcome: 'ok' }, startedAtMs)
      return respondToHandshake(c, query.code ?? '', app.handshake)
    }
    const ctx = new RequestContext<T>(c, query.params, env, app)
    return andThen(fetchPayload(ctx, app), (outcome) => respondToDataFetch(ctx, outcome, app))
  }

  function reject({ problem, parameters, level = 'warn', fields }: Rejection): Response {
    const { requestType } = query
    const known = requestType === 'verify' || requestType === 'fetch_data' ? requestType : undefined
    const { status, code } = problem
    const line = { requestType: known, status, outcome: code, parameters, ...fields }
    logRequest(app, level, line, startedAtMs)
    const headers = status === 405 ? { allow: 'GET' } : undefined
    return respondWithProblem(c, problem, { parameters }, headers)
  }
}

/** This includes HEAD: Hono passes it to the handler of GET, and it must not run `fetchData`. */
function rejectMethod(method: string): Rejection | undefined {
  return method === 'GET' ? undefined : { problem: METHOD_NOT_ALLOWED }
}

function rejectRequestType({ requestType, duplicates }: Query): Rejection | undefined {
  if (!requestType) return { problem: MISSING_REQUEST_TYPE }
  if (duplicates.includes('request_type')) {
    return { problem: DUPLICATED_PARAMETER, parameters: ['request_type'] }
  }
  if (requestType === 'verify' || requestType === 'fetch_data') return undefined
  return { problem: UNKNOWN_REQUEST_TYPE }
}

function rejectBindings({ problems }: InvalidBindings): Rejection {
  return { problem: INVALID_BINDINGS, level: 'error', fields: { problems } }
}

function authenticate<T>(
  request: Request,
  env: BindingsOf<T>,
  { auth, logErrors }: ResolvedOptions<T>,
): Rejection | undefined | Promise<Rejection | undefined> {
  return attempt(
    () => andThen(auth.authenticate(request, env), evaluate),
    (error) => deny('error', { auth: 'failed', error: describeError(error, logErrors) }),
  )

  function evaluate(result: AuthResult): Rejection | undefined {
    if (result === 'granted') return undefined
    return result === 'denied'
      ? deny('warn', { auth: 'denied' })
      : deny('error', { auth: 'unconfigured', setupHint: auth.setupHint?.(env) })
  }
}

function deny(level: LogLevel, fields: LogFields): Rejection {
  return { problem: UNAUTHORIZED, level, fields }
}

/** Only the parameters of the request's own type must be unique. */
function rejectParameters({ requestType, code, duplicates }: Query): Rejection | undefined {
  const isHandshake = requestType === 'verify'
  const parameters = duplicates.filter((name) => (name === 'code') === isHandshake)
  if (parameters.length > 0) return { problem: DUPLICATED_PARAMETER, parameters }
  const problem = isHandshake ? validateCode(code) : undefined
  return problem === undefined ? undefined : { problem }
}
