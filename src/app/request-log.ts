import type { Env } from 'hono'
import type { Outcome } from './outcome.ts'
import { describeError } from './describe-error.ts'
import { type LogFields, type LogLevel, writeLog } from '../internal/logger.ts'
import type { ResolvedOptions } from './options.ts'

/** The moment from which a line counts its duration; the clock is left alone where none is written. */
export function startRequestLog<E extends Env>(app: ResolvedOptions<E>): number {
  return app.logsEveryRequest ? Date.now() : 0
}

/** Writes the line of a data fetch: what came of it, and what is known of a fault without telling it. */
export function logOutcome<E extends Env>(
  { kind, traceId, error, childFaults, componentCount, json, cache }: Outcome,
  status: number | undefined,
  app: ResolvedOptions<E>,
  startedAt: number,
): void {
  const fault = kind !== 'ok' && kind !== 'not_available'
  const fields: LogFields = {
    requestType: 'fetch_data',
    status,
    outcome: kind,
    componentCount,
    length: json.length,
    ...(cache !== undefined && { cache }),
    ...(fault && { traceId }),
    ...(error !== undefined && describeError(error)),
    ...(childFaults.length > 0 && {
      children: childFaults.map((child) => ({ index: child.index, ...describeError(child.error) })),
    }),
  }
  logRequest(app, fault ? 'error' : 'info', fields, startedAt)
}

/** Writes the one line of a request; without a logger of the app's own, only what needs attention. */
export function logRequest<E extends Env>(
  app: ResolvedOptions<E>,
  level: LogLevel,
  fields: LogFields,
  startedAt: number,
): void {
  if (!app.logsEveryRequest && level === 'info') return
  const durationMs = app.logsEveryRequest ? Date.now() - startedAt : undefined
  writeLog(app.logger, level, { msg: 'sidecard request', ...fields, durationMs })
}

/** Writes a line about a cache that could not be used; `fetchData` was asked instead. */
export function warnOfCache<E extends Env>(
  app: ResolvedOptions<E>,
  problem: string,
  error?: unknown,
): void {
  const cause = error === undefined ? undefined : describeError(error)
  writeLog(app.logger, 'warn', { msg: 'sidecard cache', problem, ...cause })
}
