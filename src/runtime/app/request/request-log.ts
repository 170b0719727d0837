import { type LogFields, type LogLevel, writeLog } from '../../internal/logger.ts'
import { describeError } from '../observe/log-error.ts'
import type { ResolvedOptions } from '../resolve-options.ts'
import type { Outcome } from './outcome.ts'
import { DISCONNECTED_STATUS, type RequestContext } from './request-context.ts'

/** Logs the line of a data fetch, with its outcome, and each failure with its error. */
export function logDataFetch(
  ctx: RequestContext,
  outcome: Outcome,
  status: number | undefined,
): void {
  const { app } = ctx
  const { failures = [], designed, traceId, componentCount, json, match } = outcome
  const [first] = failures
  const fields: LogFields = {
    requestType: 'fetch_data',
    status: ctx.isAbandoned ? DISCONNECTED_STATUS : status,
    outcome: ctx.isAbandoned ? 'aborted' : (first?.kind ?? designed ?? 'ok'),
    componentCount,
    length: json.length,
    via: match?.via,
    ...(match !== undefined && match.unmatched.length > 0 && { unmatched: match.unmatched }),
    traceId,
    ...(first !== undefined && {
      failures: failures.map(({ kind, section, component, stale, error }) => ({
        kind,
        section,
        component,
        ...(stale && { stale }),
        ...describeError(error, app.logErrors),
      })),
    }),
  }
  const isStaleOnly = failures.every(({ stale }) => stale)
  const level = first === undefined ? 'info' : isStaleOnly ? 'warn' : 'error'
  logRequest(app, level, fields, ctx.startedAtMs)
}

/** Logs the one line of a request. Without the option `logger`, an app logs only problems. */
export function logRequest(
  app: ResolvedOptions,
  level: LogLevel,
  fields: LogFields,
  startedAtMs: number,
): void {
  if (!app.logsEveryRequest && (level === 'info' || level === 'debug')) return
  const durationMs = Date.now() - startedAtMs
  writeLog(app.logger, level, { msg: 'sidecard request', app: app.name, ...fields, durationMs })
}
