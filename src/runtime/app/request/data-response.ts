import { serializeFailures } from '../../internal/failure-header.ts'
import {
  ERROR_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
} from '../../internal/headers.ts'
import { isDeveloperRequest } from './developer-request.ts'
import { formatErrors } from './developer-errors.ts'
import { collectFailures } from './failures.ts'
import type { Outcome } from './outcome.ts'
import { PROBLEMS } from './problem.ts'
import { recordResponse } from './recording.ts'
import type { RequestContext } from './request-context.ts'
import { logDataFetch } from './request-log.ts'
import { respond, respondWithProblem } from './respond.ts'

/** Turns the outcome of a data fetch into its response and its log line. */
export function respondToDataFetch(ctx: RequestContext, outcome: Outcome): Response {
  const { app, c } = ctx
  const { failures = [], traceId } = outcome
  const blocking = failures.filter(({ stale }) => !stale)
  const isProblem = app.errors === 'status' && blocking.length > 0
  const problem = blocking.every(({ kind }) => kind.endsWith('timeout'))
    ? 'timeout'
    : 'internal_error'
  const isDeveloper = isDeveloperRequest(c)
  if (failures.length > 0) collectFailures(failures, c.env)
  if (failures.length > 0 || app.logsEveryRequest) {
    logDataFetch(ctx, outcome, isProblem ? PROBLEMS[problem][0] : 200)
  }
  if (ctx.observer !== undefined) recordResponse(ctx, ctx.observer, outcome, isDeveloper)
  const headers = createHeaders(ctx, outcome, isDeveloper)
  return isProblem
    ? respondWithProblem(c, problem, { traceId }, headers)
    : respond(c, outcome.json, 'json', 200, headers)
}

function createHeaders(
  { c, moreHeaders }: RequestContext,
  outcome: Outcome,
  isDeveloper: boolean,
): Record<string, string> | undefined {
  const { failures = [], designed, traceId } = outcome
  const hasFailure = failures.length > 0
  const more = moreHeaders?.()
  if (traceId === undefined) return more
  return {
    ...more,
    [TRACE_HEADER]: traceId,
    ...(hasFailure && { [FAILURE_HEADER]: serializeFailures(failures) }),
    ...(hasFailure && isDeveloper && { [ERROR_HEADER]: formatErrors(failures, c.req.raw.headers) }),
    ...(designed !== undefined && { [OUTCOME_HEADER]: designed }),
  }
}
