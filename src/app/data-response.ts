import {
  type Failure,
  type FailureDetail,
  serializeErrorDetails,
} from '../internal/failure-detail.ts'
import { serializeFailures } from '../internal/failure-header.ts'
import {
  CACHE_HEADER,
  DEV_HEADER,
  DEV_VARIABLE,
  ERROR_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
} from '../internal/headers.ts'
import { collectFailures } from './failures.ts'
import type { Outcome } from './outcome.ts'
import { toErrorDetail } from './log-error.ts'
import type { ResolvedOptions } from './options.ts'
import { INTERNAL_ERROR, TIMED_OUT } from './problem.ts'
import type { RequestContext } from './request-context.ts'
import { logDataFetch } from './request-log.ts'
import { respond, respondWithProblem } from './respond.ts'

/** Turns the outcome of a data fetch into its response and its log line. */
export function respondToDataFetch<T>(
  ctx: RequestContext<T>,
  outcome: Outcome,
  app: ResolvedOptions<T>,
): Response {
  const { c } = ctx
  const { failures, traceId } = outcome
  const blocking = failures.filter(({ stale }) => !stale)
  const isProblem = app.errors === 'status' && blocking.length > 0
  const problem = blocking.every(({ kind }) => kind.endsWith('timeout'))
    ? TIMED_OUT
    : INTERNAL_ERROR
  const status = isProblem ? problem.status : 200
  collectFailures(failures, c.env)
  logDataFetch(ctx, outcome, status, app)
  const headers = createHeaders(ctx, outcome, status)
  return isProblem
    ? respondWithProblem(c, problem, { traceId }, headers)
    : respond(c, outcome.json, 'json', 200, headers)
}

function createHeaders<T>(
  ctx: RequestContext<T>,
  outcome: Outcome,
  status: number,
): Record<string, string> | undefined {
  const { failures, traceId } = outcome
  const hasFailure = failures.length > 0
  if (traceId === undefined && !outcome.cache && !ctx.observer) return undefined
  const isDeveloper = isDeveloperRequest(ctx)
  return {
    ...(traceId !== undefined && { [TRACE_HEADER]: traceId }),
    ...(hasFailure && { [FAILURE_HEADER]: serializeFailures(failures) }),
    ...(hasFailure &&
      isDeveloper && { [ERROR_HEADER]: formatErrors(failures, ctx.c.req.raw.headers) }),
    ...(outcome.outcome !== undefined && { [OUTCOME_HEADER]: outcome.outcome }),
    ...(!hasFailure && outcome.cache !== undefined && { [CACHE_HEADER]: outcome.cache }),
    ...observeResponse(ctx, outcome, status, isDeveloper),
  }
}

function observeResponse<T>(
  ctx: RequestContext<T>,
  { outcome, sections, match, cache, failures, traceId }: Outcome,
  status: number,
  isDeveloper: boolean,
): Record<string, string> | undefined {
  const { observer } = ctx
  if (observer === undefined) return undefined
  const headers = observer.respond(
    {
      startedAtMs: ctx.startedAtMs,
      durationMs: Date.now() - ctx.startedAtMs,
      traceId: traceId ?? ctx.traceId,
      status,
      params: ctx.params,
      via: match?.via,
      unmatched: match?.unmatched ?? [],
      sections,
      failures: failures.map(({ kind, section, stale }) => ({
        kind,
        stale,
        ...(section !== undefined && { section }),
      })),
      outcome,
      cache,
      sectionCaches: ctx.sectionCaches,
      spans: observer.spans,
      isDeveloper,
    },
    ctx,
  )
  return Object.fromEntries(headers)
}

/** Error details need both the app's variable and the header of an authenticated request. */
function isDeveloperRequest<T>({ c }: RequestContext<T>): boolean {
  const env = c.env as Readonly<Record<string, unknown>> | undefined
  return env?.[DEV_VARIABLE] === '1' && c.req.raw.headers.get(DEV_HEADER) === '1'
}

/** Bytes of the encoded header, within what HTTP servers accept. */
const MAX_HEADER_BYTES = 6 * 1024
const MAX_MESSAGE_LENGTH = 600
const MAX_STACK_LENGTH = 1_600
const MAX_STACK_HEAD_LENGTH = 200
const MAX_ISSUES = 3

function formatErrors(failures: readonly Failure[], requestHeaders: Headers): string {
  const redact = createHeaderRedactor(requestHeaders)
  const details = failures.map(({ kind, section, component, stale, error }): FailureDetail => {
    const { name, message, stack, issues } = toErrorDetail(error)
    return {
      kind,
      stale,
      ...(section !== undefined && { section }),
      ...(component !== undefined && { component }),
      error: {
        name: redact(name).slice(0, 80),
        message: redact(message).slice(0, MAX_MESSAGE_LENGTH),
        ...(stack !== undefined && { stack: shortenStack(redact(stack)) }),
        ...(issues !== undefined && {
          issues: issues.slice(0, MAX_ISSUES).map((issue) => ({
            ...issue,
            path: redact(issue.path).slice(0, 200),
            message: redact(issue.message).slice(0, 200),
          })),
        }),
      },
    }
  })
  for (let count = details.length; count > 0; count -= 1) {
    const value = serializeErrorDetails(details.slice(0, count))
    if (value.length <= MAX_HEADER_BYTES) return value
  }
  return serializeErrorDetails([])
}

/** The message is repeated at the start of a stack. A long one must not take the place of the frames. */
function shortenStack(stack: string): string {
  const frames = stack.search(/\n\s+at /)
  const isLong = frames > MAX_STACK_HEAD_LENGTH
  const short = isLong ? stack.slice(0, MAX_STACK_HEAD_LENGTH) + stack.slice(frames) : stack
  return short.slice(0, MAX_STACK_LENGTH)
}

/** Redacts the header values of the request, since the custom headers hold the secret. */
function createHeaderRedactor(headers: Headers): (text: string) => string {
  const values = [...headers]
    .flatMap(([, value]) => [value, value.replace(/^\w+ /, '')])
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((safe, value) => safe.replaceAll(value, '[redacted]'), text)
}
