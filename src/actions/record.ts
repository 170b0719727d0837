import type { ActionRecord } from '../app/instrument.ts'
import { describeError } from '../app/log-error.ts'
import { logRequest } from '../app/request-log.ts'
import { runWithin } from '../internal/user-code.ts'
import type { Agent } from './agent.ts'
import { OUTCOMES, type AuditPart, type PageView } from './page-view.ts'
import { isDevelopment } from './setup.ts'
import { ActionRequest, type Request, type Visit } from './visit.ts'

/** How long an instrument may take. */
const RECORD_MS = 30_000

/** How long an action waits for the record that it starts. */
const START_MS = 2_000

/**
 * Writes the log line of a request. It contains neither the input nor the values, and the agent
 * only during development, for the workspace.
 */
export function logPage(
  request: Request,
  view: PageView,
  name: string | undefined,
  status: number,
  agent: Agent | undefined,
) {
  const { app, c, traceId, startedAtMs } = request
  const isDev = isDevelopment(c)
  const { outcome, error, problems } = view
  const fields = {
    requestType: 'action',
    action: name,
    status,
    outcome,
    traceId,
    problems,
    ...(isDev && { method: c.req.method, agent: agent?.id }),
    ...(error !== undefined && { error: describeError(error, app.logErrors) }),
  }
  const level = error === undefined ? OUTCOMES[outcome].level : 'error'
  logRequest(isDev ? { ...app, logsEveryRequest: true } : app, level, fields, startedAtMs)
}

/** Passes a record to the instruments, in the background. Their errors are logged. */
export function writeRecord(
  request: Request,
  link: Visit['link'],
  agent: Agent | undefined,
  result: { readonly status: number; readonly outcome: string },
  audit: AuditPart | undefined,
): void {
  const { app, c, deadline } = request
  const ctx = new ActionRequest(request, link.ids, c.env, deadline, undefined)
  const full = createRecord(request, link, agent, result, audit)
  for (const instrument of app.instruments) {
    ctx.waitUntil(runWithin(RECORD_MS, () => instrument.onAction?.(full, ctx)))
  }
}

/**
 * Writes the record of an action before it runs, so that somebody who started it is known even
 * if the process ends. Rejects if an instrument fails.
 */
export async function writeStart(visit: Visit, audit: AuditPart): Promise<void> {
  const { app, ctx, link, agent } = visit
  const full = createRecord(visit, link, agent, { status: 0, outcome: 'started' }, audit)
  const work = app.instruments.map((instrument) =>
    runWithin(START_MS, () => instrument.onAction?.(full, ctx)),
  )
  await Promise.all(work)
}

function createRecord(
  { traceId, startedAtMs }: Request,
  { name, ids }: Visit['link'],
  agent: Agent | undefined,
  { status, outcome }: { readonly status: number; readonly outcome: string },
  audit: AuditPart | undefined,
): ActionRecord {
  return {
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    traceId,
    action: name,
    agent,
    params: ids,
    status,
    outcome,
    sentence: audit?.sentence,
    details: audit?.details,
  }
}
