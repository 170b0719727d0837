import type { CacheStatus } from '../internal/cache-types.ts'
import type { Failure } from '../internal/failure-detail.ts'
import type { IdentityMatch } from './context.ts'
import type { DesignedOutcome } from './designed-card.ts'
import { type EncodedPayload, joinPieces } from './encode.ts'
import type { RequestContext } from './request-context.ts'
import type { Part } from './settle-child.ts'

/** The result of one data fetch. With a cache, several requests may share it. */
export type Outcome = Shown & (Complete | PartlyDesigned | Designed | Failed)

/** The payload, and what is known about it. */
export interface Shown extends EncodedPayload {
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  readonly match: IdentityMatch | undefined
  readonly cache?: CacheStatus
  /** The key under which the payload is cached, as a hash, for the links of actions. */
  readonly cacheKey?: string | undefined
}

/** The payload that `fetchData` meant. Only this one is cached. */
interface Complete {
  readonly kind: 'complete'
}

/** Some sections show a designed card. */
interface PartlyDesigned {
  readonly kind: 'partly_designed'
}

/** The agent sees only designed cards. */
interface Designed {
  readonly kind: 'designed'
  readonly outcome: DesignedOutcome
  readonly traceId: string
}

/** A part of the payload, or all of it, was replaced. */
interface Failed {
  readonly kind: 'failed'
  /** Those of the whole response first, then in the order of the payload. */
  readonly failures: readonly Failure[]
  readonly traceId: string
}

/** The parts of an outcome as the response, the log and the instruments need them. */
export function readOutcome(outcome: Outcome): {
  readonly failures: readonly Failure[]
  readonly designed: DesignedOutcome | undefined
  readonly traceId: string | undefined
} {
  switch (outcome.kind) {
    case 'failed':
      return { failures: outcome.failures, designed: undefined, traceId: outcome.traceId }
    case 'designed':
      return { failures: [], designed: outcome.outcome, traceId: outcome.traceId }
    default:
      return { failures: [], designed: undefined, traceId: undefined }
  }
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
  const { json, componentCount } = joinPieces(head, parts, ctx.app)
  const shown: Shown = { json, componentCount, sections, match: ctx.match }
  // The caller of an abandoned request sees neither the response nor its failures.
  if (failures.length > 0 && !ctx.isAbandoned) {
    return { ...shown, kind: 'failed', failures, traceId: ctx.traceId }
  }
  const [outcome] = designed
  if (outcome === undefined) return { ...shown, kind: 'complete' }
  return designed.length === visibleCount
    ? { ...shown, kind: 'designed', outcome, traceId: ctx.traceId }
    : { ...shown, kind: 'partly_designed' }
}
