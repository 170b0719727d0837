import type { Context } from 'hono'
import type { LogFields, LogLevel } from '../../internal/logger.ts'
import { Deadline, runUserCode, type TimeLimit } from '../../internal/user-code.ts'
import type { AuthResult } from './auth.ts'
import { respondToDataFetch } from './data-response.ts'
import { isDeveloperRequest } from './developer-request.ts'
import { runFetchData } from './fetch-data.ts'
import { describeError } from '../observe/log-error.ts'
import type { ResolvedOptions } from '../resolve-options.ts'
import { type ProblemCode, PROBLEMS } from './problem.ts'
import { parseQuery, type Query } from './query.ts'
import { RequestContext } from './request-context.ts'
import { logRequest } from './request-log.ts'
import { respond, respondWithProblem } from './respond.ts'

/** The maximum length of a code, in UTF-16 units (A6). */
const MAX_CODE_LENGTH = 512

/** A rejected request: the code of its problem response and the fields of its log line. */
interface Rejection {
  readonly code: ProblemCode
  readonly parameters?: readonly string[]
  readonly level?: LogLevel
  readonly fields?: LogFields
}

/**
 * Handles a request: method, request type, bindings, authentication,
 * parameters, and then the handshake or the data fetch. A wrong method or
 * request type is rejected before authentication, so that a visitor who opens
 * the URL learns its purpose.
 */
export async function dispatch(c: Context, app: ResolvedOptions): Promise<Response> {
  const startedAtMs = Date.now()
  const deadline = new Deadline(app.timeoutMs)
  const query = parseQuery(c.req.url)
  try {
    const unreadable = rejectRequest(c.req.method, query)
    if (unreadable !== undefined) return reject(unreadable)
    const { env, problems } = await app.readBindings(c.env, deadline)
    if (problems !== undefined) {
      return reject({ code: 'invalid_bindings', level: 'error', fields: { problems } })
    }
    const denied = await authenticate(c, env, app, deadline)
    if (denied !== undefined) return reject(denied)
    const invalid = rejectParameters(query)
    if (invalid !== undefined) return reject(invalid)
    if (query.requestType === 'verify') return respondToHandshake(query.code ?? '')
    const ctx = new RequestContext(c, query.params, env, app, deadline)
    const outcome = await runFetchData(ctx)
    if (ctx.rejection !== undefined) return reject({ code: ctx.rejection })
    const linked = app.actions === undefined ? outcome : await app.actions.link(outcome, ctx)
    return respondToDataFetch(ctx, linked)
  } finally {
    deadline.clear()
  }

  /** Responds with the code, in either form of the contract. */
  function respondToHandshake(code: string): Response {
    // Developer tools perform many handshakes to detect new code, which would fill the log.
    const level = isDeveloperRequest(c) ? 'debug' : 'info'
    logRequest(app, level, { requestType: 'verify', status: 200, outcome: 'ok' }, startedAtMs)
    const form = app.handshake
    return respond(c, form === 'json' ? JSON.stringify({ code }) : code, form, 200)
  }

  function reject({ code, parameters, level = 'warn', fields }: Rejection): Response {
    const { requestType } = query
    const known = requestType === 'verify' || requestType === 'fetch_data' ? requestType : undefined
    const status = PROBLEMS[code][0]
    const line = { requestType: known, status, outcome: code, parameters, ...fields }
    logRequest(app, level, line, startedAtMs)
    const headers = status === 405 ? { allow: 'GET' } : undefined
    return respondWithProblem(c, code, { parameters }, headers)
  }
}

function rejectRequest(method: string, { requestType, duplicates }: Query): Rejection | undefined {
  // HEAD is rejected as well: Hono passes it to the handler of GET, and it must not run
  // `fetchData`.
  if (method !== 'GET') return { code: 'method_not_allowed' }
  if (!requestType) return { code: 'missing_request_type' }
  if (duplicates.includes('request_type')) {
    return { code: 'duplicate_parameter', parameters: ['request_type'] }
  }
  if (requestType === 'verify' || requestType === 'fetch_data') return undefined
  return { code: 'unknown_request_type' }
}

async function authenticate(
  c: Context,
  env: unknown,
  { auth, logErrors }: ResolvedOptions,
  limit: TimeLimit,
): Promise<Rejection | undefined> {
  try {
    const authenticateCaller = () => auth.authenticate(c.req.raw, env)
    const result = await runUserCode(authenticateCaller, limit, readAuthResult)
    if (result === 'granted') return undefined
    if (result === 'denied') return deny('warn', { auth: 'denied' })
    return deny('error', { auth: 'unconfigured', setupHint: auth.setupHint?.(env) })
  } catch (error) {
    return deny('error', { auth: 'failed', error: describeError(error, logErrors) })
  }
}

function readAuthResult(result: unknown): AuthResult {
  if (result === 'granted' || result === 'denied' || result === 'unconfigured') return result
  throw new TypeError("authenticate() must return 'granted', 'denied' or 'unconfigured'.")
}

function deny(level: LogLevel, fields: LogFields): Rejection {
  return { code: 'unauthorized', level, fields }
}

/** Rejects duplicate parameters of the request's own type, and an invalid code. */
function rejectParameters({ requestType, code, duplicates }: Query): Rejection | undefined {
  const isHandshake = requestType === 'verify'
  const parameters = duplicates.filter((name) => (name === 'code') === isHandshake)
  if (parameters.length > 0) return { code: 'duplicate_parameter', parameters }
  const problem = isHandshake ? validateCode(code) : undefined
  return problem && { code: problem }
}

/** Returns why the code of a handshake is invalid (A6), or `undefined` if it is valid. */
function validateCode(code: string | undefined): ProblemCode | undefined {
  if (!code) return 'missing_code'
  return code.length > MAX_CODE_LENGTH ? 'code_too_long' : undefined
}
