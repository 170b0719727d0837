import type { FetchDataParams } from '../../contract/parameters.ts'
import type { CacheStatus } from '../../internal/cache-types.ts'
import type { FailureKind } from '../../internal/failure-header.ts'
import type { DesignedOutcome } from '../designed-card.ts'

/** The work that spans cover. */
export type SpanName =
  | 'fetchData'
  | 'section'
  | 'identify'
  | 'store.get'
  | 'store.set'
  | 'action.show'
  | 'action.run'

/** A span that has ended, for `Server-Timing`. */
export interface SpanRecord {
  readonly name: SpanName
  readonly attributes: Readonly<Record<string, string>>
  /** The start, in milliseconds since the request arrived. */
  readonly startMs: number
  readonly durationMs: number
  readonly failed: boolean
}

/**
 * A record of one data fetch, for instruments. It contains IDs of the request,
 * but no content of the payload.
 */
export interface ResponseRecord {
  /** When the request arrived, in milliseconds since 1970. */
  readonly startedAtMs: number
  readonly durationMs: number
  readonly traceId: string
  /** The status of the response, or 499 if the caller disconnected before it. */
  readonly status: number
  readonly params: FetchDataParams
  /** The ID that identified the customer; see `identify()`. */
  readonly via: string | undefined
  /** The IDs that were present and matched nothing. */
  readonly unmatched: readonly string[]
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  readonly failures: ReadonlyArray<{
    readonly kind: FailureKind
    readonly section?: string
    readonly stale: boolean
  }>
  /** Set if the agent sees only designed cards. A card for several matches may name candidates. */
  readonly outcome: DesignedOutcome | undefined
  /** The cache status of each section that has a cache. */
  readonly sectionCaches: ReadonlyArray<{ readonly section: string; readonly status: CacheStatus }>
  readonly spans: readonly SpanRecord[]
  /** Whether the request may see details for developers: `SIDECARD_DEV=1` and `x-sidecard-dev: 1`. */
  readonly isDeveloper: boolean
}

/**
 * A record of one request to the page of an action, for instruments: the agent,
 * the action, the issue and the outcome. Of the input and the values, it only
 * contains what the action's options `summary` and `audit` return.
 */
export interface ActionRecord {
  /** When the request arrived, in milliseconds since 1970. */
  readonly startedAtMs: number
  readonly durationMs: number
  readonly traceId: string
  /** The name of the action. */
  readonly action: string
  /** The agent; `undefined` with `anyAgent()`, or if the sign-in was denied. */
  readonly agent:
    | {
        readonly id: string
        readonly email?: string | undefined
        readonly name?: string | undefined
        /** Absent if the sign-in does not know the groups. */
        readonly groups?: readonly string[] | undefined
      }
    | undefined
  /** The IDs of the issue whose sidebar contained the link. */
  readonly params: FetchDataParams
  readonly status: number
  /**
   * The outcome, such as `shown` for the form, `started` before the action runs, and
   * `done` after a success. See docs/guides/actions.md.
   */
  readonly outcome: string
  /** The sentence that the option `summary` of the action returned. */
  readonly sentence: string | undefined
  /** The return value of the option `audit` of the action. */
  readonly details: unknown
}

/** The part of a request that an instrument may use. */
export interface InstrumentContext {
  waitUntil(promise: PromiseLike<unknown>): void
}

/**
 * An observer of data fetches. Errors of an instrument are logged and do not
 * affect the response.
 *
 * @see docs/guides/observing.md
 */
export interface Instrument {
  /**
   * Called around `fetchData`, each section, each identity lookup and each
   * store access. Call `run` exactly once and immediately, and return its
   * promise. Attributes contain no personal data.
   */
  span?<R>(
    name: SpanName,
    attributes: Readonly<Record<string, string>>,
    run: () => Promise<R>,
  ): Promise<R>
  /** Called once per data fetch, before the response is sent. It may add headers. */
  onResponse?(
    record: ResponseRecord,
    headers: Headers,
    ctx: InstrumentContext,
  ): void | Promise<void>
  /** Called once per request with a valid link to the page of an action. */
  onAction?(record: ActionRecord, ctx: InstrumentContext): void | Promise<void>
}
