import type { LogFields, LogLevel } from '../internal/logger.ts'
import { writeLog } from '../internal/logger.ts'
import type { Outcome } from './outcome.ts'
import { describeError } from './log-error.ts'
import type { ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'

/** Logs the line of a data fetch: its result, and each failure with its error. */
export function logDataFetch<T>(
  ctx: RequestContext<T>,
  { outcome, componentCount, json, cache, match, failures, traceId }: Outcome,
  status: number | undefined,
  app: ResolvedOptions<T>,
): void {
  const [first] = failures
  if (first === undefined && !app.logsEveryRequest) return
  const fields: LogFields = {
    requestType: 'fetch_data',
    status,
    outcome: ctx.isAbandoned ? 'aborted' : (first?.kind ?? outcome ?? 'ok'),
    componentCount,
    length: json.length,
    cache,
    via: match?.via,
    ...(match !== undefined && match.unmatched.length > 0 && { unmatched: match.unmatched }),
    traceId,
    ...(first !== undefined && {
      failures: failures.map(({ kind, section, component, stale, error }) => ({
        kind,
        section,
        component,
        ...(stale && { stale }),
        // A shared call is logged in full with the request that started it.
        ...(failures === ctx.failures && describeError(error, app.logErrors)),
      })),
    }),
  }
  const isStaleOnly = failures.every(({ stale }) => stale)
  logRequest(
    app,
    first === undefined ? 'info' : isStaleOnly ? 'warn' : 'error',
    fields,
    ctx.startedAtMs,
  )
}

/** Logs the one line of a request. Without the option `logger`, an app logs only problems. */
export function logRequest<T>(
  app: ResolvedOptions<T>,
  level: LogLevel,
  fields: LogFields,
  startedAtMs: number,
): void {
  if (!app.logsEveryRequest && level === 'info') return
  const durationMs = Date.now() - startedAtMs
  writeLog(app.logger, level, { msg: 'sidecard request', ...fields, durationMs })
}

/** Logs that a cache could not be used; the request continues without it. */
export function logCacheWarning<T>(
  app: ResolvedOptions<T>,
  problem: string,
  error?: unknown,
): void {
  writeLog(app.logger, 'warn', {
    msg: 'sidecard cache',
    problem,
    ...(error !== undefined && { error: describeError(error, app.logErrors) }),
  })
}
