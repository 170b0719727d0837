import type { Evidence } from './evidence.ts'
import type { Traffic } from './traffic.ts'

/** What traffic shows about an assumption. Only evidence decides; an absent request never does. */
export type Result =
  | { readonly status: 'holds' | 'does_not_hold'; readonly evidence: readonly Evidence[] }
  | {
      readonly status: 'skipped'
      /** Why it was not decided. */
      readonly reason: Evidence
      readonly evidence?: readonly Evidence[]
    }

/** How an assumption is decided. */
export type Assumption =
  | {
      /** A statement that traffic confirms or contradicts. */
      readonly claim: string
      readonly decide: (traffic: Traffic) => Result
    }
  | {
      readonly claim: string
      /** Why traffic cannot decide it. */
      readonly undecidable: string
    }
