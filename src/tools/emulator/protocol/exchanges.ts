/**
 * The data of the inspector: requests to apps, the failures that endpoints
 * report, the console, and the files that are saved from a request. The routes
 * are listed in `routes.ts`.
 */
import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'
import type { PayloadIssue } from '../../../runtime/contract/issues.ts'
import type { FailureKind } from '../../../runtime/internal/failure-header.ts'
import type { SectionConditions } from '../../../runtime/internal/section-conditions.ts'
import type { PageState } from '../../project/schema.ts'
import type { ActionOutcome } from '../../service/testing/action-page.ts'
import type { DataFetchResult } from '../../service/endpoint-client.ts'
import type { Finding } from '../../service/response-rule.ts'
import type { HandshakeFailureReason } from '../../service/responses/validate-handshake.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { ActionRequestView } from './actions.ts'

/** The maximum number of requests in the inspector. Older ones are dropped. */
export const MAX_EXCHANGES = 1_000

/** The maximum length of a custom ID. */
export const MAX_ID_LENGTH = 2_000

/**
 * The result of loading a widget, as the agent sees it.
 *
 * - `rendered`: the complete payload.
 * - `failed`: the endpoint reports a failure. `failures` contains the details, and
 *   `payload` the content that the agent sees, usually a failure card. If every
 *   failure is `stale`, the agent sees stale content.
 * - `not_found`, `ambiguous`, `not_available`: a designed card instead of customer
 *   data. It is not a failure, but does not prove that the endpoint works.
 * - `unknown_component`, `invalid_payload`, or the reason why there is no payload:
 *   the error state.
 * - `not_connected`: no request was sent.
 */
export type WidgetOutcome = DataFetchResult['outcome'] | 'not_connected'

/** A location in source code. `file` is relative to the project if it is inside it. */
export interface SourceLocation {
  readonly file: string
  /** 1-based. */
  readonly line: number
  /** 1-based. */
  readonly column: number
}

/** A position in a script of the project. The default of `column` is 1. */
export type SourcePosition = Omit<SourceLocation, 'column'> &
  Partial<Pick<SourceLocation, 'column'>>

/** The lines around a position in a script. */
export interface CodeFrame {
  /** The number of the first line, 1-based. */
  readonly first: number
  readonly lines: readonly string[]
}

/** A failure that the endpoint reports. */
export interface FailureView {
  /** `unknown` for a malformed `x-sidecard-failure` header. */
  readonly kind: FailureKind | 'unknown'
  /** The title of the failed section; null if the whole response failed, or the title was not sent. */
  readonly section: string | null
  /** The 0-based index of the replacement in `payload.components`. */
  readonly component: number | null
  /** Whether the last successfully loaded content is shown instead. */
  readonly stale: boolean
  /** Set if the request asked for this failure with a condition of the section. */
  readonly intended?: boolean
  readonly traceId: string | null
  /** The error; null if the endpoint does not run with `SIDECARD_DEV=1`. */
  readonly error: FailureErrorView | null
}

/** The error behind a failure. */
export interface FailureErrorView {
  readonly name: string
  readonly message: string
  /** The stack, with positions in the source files if there is a source map. */
  readonly stack: string | null
  /** The location of the first frame outside `node_modules` and `.wrangler`. */
  readonly location: SourceLocation | null
  /** The validation issues of an invalid payload. */
  readonly issues: readonly PayloadIssue[]
}

/** A span of `Server-Timing`, in milliseconds. */
export interface TimingSpan {
  readonly name: string
  /** The `desc` parameter, such as the title of a section. */
  readonly description: string | null
  /** The `dur` parameter. */
  readonly durationMs: number | null
  /** The `start` parameter, relative to the start of the request. */
  readonly startMs: number | null
}

/** Requests that belong together. The workspace may choose the ID: letters, digits, `_` and `-`, at most 64. */
export interface ExchangeGroup {
  readonly id: string
  /**
   * `open`: the widgets of one issue. `save`: after a change to the source.
   * `states`: a run over all states.
   */
  readonly kind: 'open' | 'save' | 'states'
}

/** A request in the inspector's list. */
export interface ExchangeSummary {
  readonly id: string
  readonly at: string
  readonly kind: 'verify' | 'fetch_data' | 'action'
  /** `live`: the real service called through the tunnel proxy. */
  readonly source: 'emulator' | 'live'
  readonly appId: string
  readonly appName: string
  readonly issueId: string | null
  readonly widgetId: string | null
  /** The name of the customer; null for handshakes and unknown customers. */
  readonly customer: string | null
  /** The name of the project's state. */
  readonly state: string | null
  /** The conditions of sections that were requested; null if there were none. */
  readonly sections: SectionConditions | null
  /** Why the endpoint did not apply one of these conditions; null if it applied them all. */
  readonly unapplied: string | null
  /** The query parameters, in the order sent. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** Whether IDs or conditions were chosen for this request only. */
  readonly isCustom: boolean
  readonly group: ExchangeGroup | null
  /** Null if no response arrived. */
  readonly status: number | null
  readonly durationMs: number
  /** The size of the decompressed body; null if no response arrived. */
  readonly bytes: number | null
  readonly traceId: string | null
  /** `connected` for a handshake that succeeded. */
  readonly outcome: 'connected' | 'shown' | HandshakeFailureReason | WidgetOutcome | ActionOutcome
  readonly failures: readonly FailureView[]
  readonly timing: readonly TimingSpan[]
  /** The fault that the emulator injected into this request. */
  readonly injected: FaultEffect | null
  /** The number of findings by level. */
  readonly findings: { readonly MUST: number; readonly SHOULD: number; readonly ASSUMED: number }
  /** The request to the page of an action; null for other requests. */
  readonly action: ActionRequestView | null
  /** The ID of the original request, for a repeated one. */
  readonly replayOf: string | null
}

/** All details of a request and its response. Header values of the app are redacted. */
export interface ExchangeView extends Omit<ExchangeSummary, 'findings'> {
  readonly request: {
    readonly method: string
    readonly url: string
    /** The query parameters, in the order sent. */
    readonly parameters: readonly (readonly [name: string, value: string])[]
    /** The names of the app's headers, which a replay sends. */
    readonly headerNames: readonly string[]
    /** The names of all headers of a live request, in the order received. */
    readonly receivedHeaderNames?: readonly string[]
    /** Milliseconds until the service closed the connection of a live request without waiting for the response. */
    readonly abortedAfterMs?: number
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly headers: Readonly<Record<string, string>>
    /** The body as text, at most 256 KiB. Bytes that are not UTF-8 become U+FFFD. */
    readonly body: string
    readonly bodyBytes: number
    readonly truncated: boolean
  } | null
  /** The problem in one line; empty if there is none. */
  readonly message: string
  /** The fix in one sentence; empty if there is none. */
  readonly fix: string
  /** The explanation of a failed handshake. */
  readonly explanation: HandshakeExplanation | null
  readonly findings: readonly Finding[]
  /** The console lines with this request's trace ID. */
  readonly console: readonly ConsoleEntry[]
  /**
   * The request as a cURL command for a POSIX shell. Header values are read from
   * environment variables.
   */
  readonly curl: string
}

/** The explanation of a failed handshake. */
export interface HandshakeExplanation {
  /** The request and the response, in one or two sentences. */
  readonly saw: string
  /** Why the violated rule matters, and how it is commonly violated. */
  readonly why: string
}

/** A line of the dev server's output. Header values of the apps are redacted. */
export interface ConsoleEntry {
  /** The ID, which increases by one. */
  readonly id: number
  readonly at: string
  readonly stream: 'stdout' | 'stderr'
  /** At most 16 KiB, without the final line break. It may contain ANSI escapes. */
  readonly text: string
  readonly traceId: string | null
  /** Whether the line was written while the checker sent requests, many of which are invalid. */
  readonly isOfCheck: boolean
}

/** The name of a saved request. */
export interface SaveInput {
  /** Names the file: letters, digits and `-`, at most 64. @default the names of the app and the outcome */
  readonly name?: string
  /** Replaces texts and IDs with placeholders, and moves dates. @default true */
  readonly anonymize?: boolean
}

/** The parts of a request to save in `sidecard.local.json`. */
export interface SaveStateInput {
  /**
   * The name of the new state, or of the new customer if the customer is not in the
   * project yet.
   */
  readonly name: string
  /** Texts that only this customer's sidebar shows, for a new customer. @default [] */
  readonly shows?: readonly string[]
}

/** A payload of which only the shape is left. */
export interface PayloadShape {
  readonly payload: unknown
  /** The number of replaced texts. */
  readonly replaced: number
  /** The labels and long numbers that stay unchanged, any of which may be personal. */
  readonly kept: readonly string[]
}

/** The file that `save` wrote. */
export interface SaveResult {
  /** The path relative to the project. Existing files are never overwritten. */
  readonly file: string
  /** The number of replaced texts; null without `anonymize`. */
  readonly replaced: number | null
  /** The labels and long numbers that stay unchanged, any of which may be personal. */
  readonly kept: readonly string[]
}

/**
 * IDs that replace those of the issue. A null ID is not sent. For an absent ID,
 * the issue's own is used.
 */
export type CustomIds = { readonly [Name in FetchDataParameter]?: string | null }

/** A customer of the project. */
export interface CustomerView {
  readonly name: string
  readonly ids: Readonly<Partial<Record<FetchDataParameter, string>>>
  /** Texts that only this customer's sidebar shows. */
  readonly shows: readonly string[]
  /** The place in the file, such as `sidecard.json:12`. */
  readonly place: string
}

/** A state of the project: a customer, with sections and pages of actions in a state. */
export interface StateView extends Omit<CustomerView, 'shows'> {
  /** Null for a state with only IDs. */
  readonly customer: string | null
  readonly sections: SectionConditions
  /** The states of the pages, by the label of the action's button. */
  readonly actions: Readonly<Record<string, PageState>>
}
