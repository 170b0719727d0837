/** Which side a fault is on: the API that clients call, or the calls to the apps. */
export type FaultSide = 'api' | 'apps'

/** What happens to a request that a rule hits. */
export type FaultEffect =
  /** The answer comes late, by `delayMs` and up to `jitterMs` more. */
  | { readonly type: 'delay'; readonly delayMs: number; readonly jitterMs?: number }
  /** This status instead of an answer; `retryAfterSeconds` sets `Retry-After`. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection is closed without an answer. */
  | { readonly type: 'reset' }
  /** The body ends in the middle. API only. */
  | { readonly type: 'cut_off' }
  /** Fields go missing, change their type or are new. API only. */
  | { readonly type: 'schema_drift' }
  /** A list goes wrong: the same cursor again, no cursor, or an empty page. API only. */
  | { readonly type: 'bad_pagination'; readonly kind: 'repeat' | 'missing' | 'empty' }
  /** The service hangs up after `afterMs`. Apps only. */
  | { readonly type: 'hang_up'; readonly afterMs: number }

/** A rule: what it hits, how often, and what happens then. The first that hits wins. */
export interface FaultRule {
  readonly side: FaultSide
  /** An operation id, such as `listUsers`; `verify` or `fetch_data` for apps. @default every one */
  readonly operation?: string
  /** From 0 to 1. @default 1 */
  readonly probability?: number
  /** Hits this many times, then never again. @default no limit */
  readonly times?: number
  readonly effect: FaultEffect
}

/** The named sets of rules. */
export type FaultPreset =
  | 'slow'
  | 'flaky'
  | 'rate-limited'
  | 'outage'
  | 'schema-drift'
  | 'bad-pagination'
