import type { CacheStatus } from '../internal/cache-types.ts'
import type { Failure } from '../internal/failure-detail.ts'
import type { IdentityMatch } from './context.ts'
import type { DesignedOutcome } from './designed-card.ts'
import type { EncodedPayload } from './encode.ts'

/** The result of one data fetch. With a cache, several requests may share it. */
export interface Outcome extends EncodedPayload {
  /** Set if the agent sees only designed cards. */
  readonly outcome?: DesignedOutcome | undefined
  /** Whether the agent sees a designed card, even if only in a section. */
  readonly hasDesignedCard: boolean
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  readonly failures: readonly Failure[]
  /** The trace ID in the response and the log, if there is one. */
  readonly traceId: string | undefined
  readonly match: IdentityMatch | undefined
  readonly cache?: CacheStatus
}
