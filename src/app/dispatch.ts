import type { Context, Env } from 'hono'
import { after } from '../internal/after.ts'
import type { AuthVerdict } from './auth.ts'
import { RequestContext } from './context.ts'
import { runFetchData } from './fetch-data.ts'
import type { Outcome } from './outcome.ts'
import { CACHE_HEADER, FAULT_HEADER, JSON_HEADERS, TEXT_HEADERS, TRACE_HEADER } from './headers.ts'
import { describeError } from './describe-error.ts'
import type { LogFields } from '../internal/logger.ts'
import type { ResolvedOptions } from './options.ts'
import {
  CALLBACK_TIMEOUT,
  CODE_TOO_LONG,
  DUPLICATED_PARAMETER,
  INTERNAL_ERROR,
  MISSING_CODE,
  MISSING_REQUEST_TYPE,
  type Problem,
  problemResponse,
  UNAUTHORIZED,
  UNKNOWN_REQUEST_TYPE,
} from './problem.ts'
import { type Query, readQuery } from './query.ts'
import { logOutcome, logRequest, startRequestLog } from './request-log.ts'

/** The longest handshake code that is echoed, in UTF-16 units (A6). */
const MAX_CODE_LENGTH = 512

/** A refusal, and what the log says of it. */
interface Refusal {
  readonly problem: Problem
  readonly fields?: LogFields
  readonly parameters?: readonly string[]
}

/**
 * The path of a request: what is asked, who asks, then the answer. A request
 * type that is missing or unknown is refused before authentication, so that a
 * newcomer who opens the address in a browser learns what it is.
 */
export function dispatch<E extends Env>(
  c: Context<E>,
  app: ResolvedOptions<E>,
): Response | Promise<Response> {
  const startedAt = startRequestLog(app)
  const query = readQuery(c.req.url)
  const refusal = refuseRequestType(query)
  if (refusal !== undefined) return refuse(refusal, query, app, startedAt)
  return after(refuseCaller(c, app), (refusedCaller) => {
    const refusal = refusedCaller ?? refuseParameters(query)
    return refusal === undefined
      ? answer(c, query, app, startedAt)
      : refuse(refusal, query, app, startedAt)
  })
}

function answer<E extends Env>(
  c: Context<E>,
  { requestType, code, params }: Query,
  app: ResolvedOptions<E>,
  startedAt: number,
): Response | Promise<Response> {
  if (requestType === 'verify') {
    logRequest(app, 'info', { requestType, status: 200, outcome: 'ok' }, startedAt)
    return answerHandshake(code!, app.handshake)
  }
  const ctx = new RequestContext<E>(c, params, app)
  return after(app.cache?.answer(ctx, app) ?? runFetchData(ctx, app), (outcome) =>
    answerFetchData(outcome, app, startedAt),
  )
}

function refuseRequestType({ requestType, duplicates }: Query): Refusal | undefined {
  if (requestType === undefined) return { problem: MISSING_REQUEST_TYPE }
  if (duplicates.includes('request_type')) {
    return { problem: DUPLICATED_PARAMETER, parameters: ['request_type'] }
  }
  if (requestType === 'verify' || requestType === 'fetch_data') return undefined
  return { problem: requestType === '' ? MISSING_REQUEST_TYPE : UNKNOWN_REQUEST_TYPE }
}

function refuseCaller<E extends Env>(
  c: Context<E>,
  { auth }: ResolvedOptions<E>,
): Refusal | undefined | Promise<Refusal | undefined> {
  try {
    const judging = auth.authenticate(c)
    return judging instanceof Promise
      ? judging.then((verdict) => refusalOf(verdict, auth.remedy), refusalAfter)
      : refusalOf(judging, auth.remedy)
  } catch (error) {
    return refusalAfter(error)
  }
}

function refusalOf(verdict: AuthVerdict, remedy: string | undefined): Refusal | undefined {
  if (verdict === 'granted') return undefined
  const fields = { auth: verdict, remedy: verdict === 'unconfigured' ? remedy : undefined }
  return { problem: UNAUTHORIZED, fields }
}

/** An authenticator that fails lets nobody in. */
function refusalAfter(error: unknown): Refusal {
  return { problem: UNAUTHORIZED, fields: { auth: 'failed', ...describeError(error) } }
}

function refuseParameters({ requestType, code, duplicates }: Query): Refusal | undefined {
  if (duplicates.length > 0) {
    const isVerify = requestType === 'verify'
    const parameters = [...new Set(duplicates)].filter((name) => (name === 'code') === isVerify)
    if (parameters.length > 0) return { problem: DUPLICATED_PARAMETER, parameters }
  }
  if (requestType !== 'verify') return undefined
  if (!code) return { problem: MISSING_CODE }
  return code.length > MAX_CODE_LENGTH ? { problem: CODE_TOO_LONG } : undefined
}

function refuse<E extends Env>(
  { problem, fields, parameters }: Refusal,
  { requestType }: Query,
  app: ResolvedOptions<E>,
  startedAt: number,
): Response {
  const known = requestType === 'verify' || requestType === 'fetch_data' ? requestType : undefined
  const line = {
    requestType: known,
    status: problem.status,
    outcome: problem.code,
    parameters,
    ...fields,
  }
  logRequest(app, fields?.remedy === undefined ? 'warn' : 'error', line, startedAt)
  return problemResponse(problem, parameters && { parameters })
}

function answerHandshake(code: string, form: 'json' | 'text'): Response {
  return form === 'json'
    ? new Response(JSON.stringify({ code }), { headers: JSON_HEADERS })
    : new Response(code, { headers: TEXT_HEADERS })
}

function answerFetchData<E extends Env>(
  outcome: Outcome,
  app: ResolvedOptions<E>,
  startedAt: number,
): Response {
  const { kind, traceId } = outcome
  if (kind === 'ok' || kind === 'not_available') {
    if (app.logsEveryRequest) logOutcome(outcome, 200, app, startedAt)
    const { cache } = outcome
    const headers = cache === undefined ? JSON_HEADERS : { ...JSON_HEADERS, [CACHE_HEADER]: cache }
    return new Response(outcome.json, { headers })
  }
  const headers = { [FAULT_HEADER]: kind, [TRACE_HEADER]: traceId ?? '' }
  if (app.errors === 'payload' || kind === 'section_failed') {
    logOutcome(outcome, 200, app, startedAt)
    return new Response(outcome.json, { headers: { ...JSON_HEADERS, ...headers } })
  }
  const problem = kind === 'timeout' ? CALLBACK_TIMEOUT : INTERNAL_ERROR
  logOutcome(outcome, problem.status, app, startedAt)
  return problemResponse(problem, { headers, ...(traceId !== undefined && { traceId }) })
}
