/** The requests that a fault affects: those to the API, or those to the apps. */
export type FaultSide = 'api' | 'apps'

/** The effect of a fault on a request. */
export type FaultEffect =
  /** Delays the response by `delayMs`, plus up to `jitterMs`. */
  | { readonly type: 'delay'; readonly delayMs: number; readonly jitterMs?: number }
  /** Returns this status; `retryAfterSeconds` sets `Retry-After`. */
  | { readonly type: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** Closes the connection without a response. */
  | { readonly type: 'reset' }
  /** Truncates the body. API only. */
  | { readonly type: 'cut_off' }
  /** Drops, changes and adds fields. API only. */
  | { readonly type: 'schema_drift' }
  /** Breaks a list: repeats the cursor, omits it, or returns an empty page. API lists only. */
  | { readonly type: 'bad_pagination'; readonly kind: 'repeat' | 'missing' | 'empty' }
  /** Aborts the request after `afterMs`. Apps only. */
  | { readonly type: 'hang_up'; readonly afterMs: number }

/** A rule of fault injection: the affected requests, how many of them, and the effect. The first rule that matches applies. */
export interface FaultRule {
  readonly side: FaultSide
  /** An operation ID such as `listUsers`; `verify` or `fetch_data` for apps. @default all operations */
  readonly operation?: string
  /** From 0 to 1. @default 1 */
  readonly probability?: number
  /** The number of requests that the rule affects before it ends. @default no limit */
  readonly times?: number
  readonly effect: FaultEffect
}

/** The active faults. */
export interface FaultSettings {
  /** The random seed. The same seed affects the same requests. */
  readonly seed: number
  readonly rules: readonly FaultRule[]
}

/** The names of the presets. */
export type FaultPreset =
  | 'slow'
  | 'flaky'
  | 'rate-limited'
  | 'outage'
  | 'schema-drift'
  | 'bad-pagination'

/** A named set of rules. */
export interface FaultPresetView {
  readonly id: FaultPreset
  readonly name: string
  readonly description: string
  readonly rules: readonly FaultRule[]
}
