import type { Failure } from '../../internal/failure-detail.ts'
import type { IdentityMatch } from './context.ts'
import type { DesignedOutcome } from '../designed-card.ts'
import { type EncodedPayload, joinPieces } from './encode.ts'
import type { RequestContext } from './request-context.ts'
import type { Part } from './failures.ts'

/** The result of one data fetch. */
export interface Outcome extends EncodedPayload {
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  readonly match: IdentityMatch | undefined
  /** The failures: first those of the whole response, then those of its parts, in payload order. */
  readonly failures?: readonly Failure[]
  /** Set if the agent sees only designed cards. */
  readonly designed?: DesignedOutcome | undefined
  /** Set if the response contains the trace ID, for a failure or only designed cards. */
  readonly traceId?: string | undefined
}

/** Joins the parts of a payload, and lists their failures. */
export function showParts(parts: readonly Part[], head: string, ctx: RequestContext): Outcome {
  const sections: string[] = []
  const failures: Failure[] = []
  const designed: DesignedOutcome[] = []
  let visibleCount = 0
  let component = 0
  for (const { piece, title, failure, outcome } of parts) {
    const isVisible = piece.length > 0
    if (isVisible) visibleCount += 1
    if (outcome !== undefined) designed.push(outcome)
    if (title !== undefined && (failure === undefined || failure.stale)) sections.push(title)
    if (failure !== undefined) {
      failures.push({ ...failure, ...(isVisible && { component }), traceId: ctx.traceId })
    }
    component += piece.length
  }
  const shown = { ...joinPieces(head, parts, ctx.app), sections, match: ctx.match }
  // If the caller has disconnected, nobody receives the response, so its failures are not reported.
  if (failures.length > 0 && !ctx.isAbandoned) return { ...shown, failures, traceId: ctx.traceId }
  const [outcome] = designed
  const isDesigned = outcome !== undefined && designed.length === visibleCount
  return isDesigned ? { ...shown, designed: outcome, traceId: ctx.traceId } : shown
}
