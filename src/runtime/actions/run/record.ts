import type { ActionRecord } from '../../app/observe/instrument.ts'
import { runWithin } from '../../internal/user-code.ts'
import type { LinkContent } from '../links/link.ts'
import type { IdentifiedAgent } from '../sign-in/agent.ts'
import { ActionCallContext, type AppRequest, type AuthorizedRequest } from './authorized-request.ts'

/** The timeout of an instrument. */
const RECORD_MS = 30_000

/** How long an action waits for the record of its start. */
const START_MS = 2_000

/** The part of an audit record about a confirmation. */
export interface AuditPart {
  readonly sentence: string
  /** The return value of the option `audit` of the action. */
  readonly details?: unknown
}

type End = Pick<ActionRecord, 'status' | 'outcome'>

type Recorded = AppRequest & {
  readonly link: LinkContent
  readonly agent?: IdentifiedAgent | undefined
}

/** Passes a record to the instruments, in the background. Their errors are logged. */
export function writeRecord(
  request: Recorded,
  end: End,
  audit: Partial<AuditPart> | undefined,
): void {
  const { app, c, deadline } = request
  const ctx = new ActionCallContext({ ...request, agent: undefined }, c.env, deadline)
  const record = createRecord(request, end, audit)
  for (const instrument of app.instruments) {
    ctx.waitUntil(runWithin(RECORD_MS, () => instrument.onAction?.(record, ctx)))
  }
}

/**
 * Writes the record of an action before it runs, so that the agent is on record
 * even if the process ends. Rejects if an instrument fails.
 */
export async function writeStart(request: AuthorizedRequest, audit: AuditPart): Promise<void> {
  const { app, ctx } = request
  const record = createRecord(request, { status: 0, outcome: 'started' }, audit)
  await Promise.all(
    app.instruments.map((instrument) =>
      runWithin(START_MS, () => instrument.onAction?.(record, ctx)),
    ),
  )
}

function createRecord(
  { traceId, startedAtMs, link, agent }: Recorded,
  end: End,
  { sentence, details }: Partial<AuditPart> = {},
): ActionRecord {
  const durationMs = Date.now() - startedAtMs
  const about = { traceId, action: link.name, agent, params: link.ids, sentence, details }
  return { startedAtMs, durationMs, ...about, ...end }
}
