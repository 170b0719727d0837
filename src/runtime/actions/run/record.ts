import type { ActionRecord } from '../../app/observe/instrument.ts'
import { describeError } from '../../app/observe/log-error.ts'
import { logRequest } from '../../app/request/request-log.ts'
import { runWithin } from '../../internal/user-code.ts'
import type { IdentifiedAgent } from '../sign-in/agent.ts'
import { type AuditPart, OUTCOMES, type PageView } from '../page/page-view.ts'
import { isDevelopment } from '../links/setup.ts'
import type { LinkContent } from '../links/token.ts'
import { ActionRequest, type Request, type Visit } from './visit.ts'

/** The timeout of an instrument. */
const RECORD_MS = 30_000

/** How long an action waits for the record of its start. */
const START_MS = 2_000

/**
 * Writes the log line of a request. It never contains the input or the values, and
 * contains the agent only during development, for the workspace.
 */
export function logPage(
  request: Request,
  { outcome, error, problems, groups }: PageView,
  action: string | undefined,
  status: number,
  agent: IdentifiedAgent | undefined,
) {
  const { app, c, traceId, startedAtMs } = request
  const isDev = isDevelopment(c)
  const fields = {
    requestType: 'action',
    action,
    status,
    outcome,
    traceId,
    problems,
    groups,
    ...(isDev && {
      method: c.req.method,
      agent: agent?.id,
    }),
    ...(error !== undefined && { error: describeError(error, app.logErrors) }),
  }
  // An ActionError is an answer, and no failure.
  const level = error === undefined || outcome === 'refused' ? OUTCOMES[outcome].level : 'error'
  logRequest(isDev ? { ...app, logsEveryRequest: true } : app, level, fields, startedAtMs)
}

/** Passes a record to the instruments, in the background. Their errors are logged. */
export function writeRecord(
  request: Request,
  link: LinkContent,
  agent: IdentifiedAgent | undefined,
  end: Pick<ActionRecord, 'status' | 'outcome'>,
  audit: Partial<AuditPart> | undefined,
): void {
  const caller = { ...request, link, env: request.c.env, agent: undefined }
  const ctx = new ActionRequest(caller, request.deadline)
  const record = createRecord(request, link, agent, end, audit)
  for (const instrument of request.app.instruments) {
    ctx.waitUntil(runWithin(RECORD_MS, () => instrument.onAction?.(record, ctx)))
  }
}

/**
 * Writes the record of an action before it runs, so that the agent is on record
 * even if the process ends. Rejects if an instrument fails.
 */
export async function writeStart(visit: Visit, audit: AuditPart): Promise<void> {
  const { app, ctx, link, agent } = visit
  const record = createRecord(visit, link, agent, { status: 0, outcome: 'started' }, audit)
  const work = app.instruments.map((instrument) =>
    runWithin(START_MS, () => instrument.onAction?.(record, ctx)),
  )
  await Promise.all(work)
}

function createRecord(
  { traceId, startedAtMs }: Request,
  { name: action, ids: params }: LinkContent,
  agent: IdentifiedAgent | undefined,
  end: Pick<ActionRecord, 'status' | 'outcome'>,
  { sentence, details }: Partial<AuditPart> = {},
): ActionRecord {
  const durationMs = Date.now() - startedAtMs
  const about = { traceId, action, agent, params, sentence, details }
  return { startedAtMs, durationMs, ...about, ...end }
}
