/**
 * The data of an opened issue: the requested customer or state, and the widgets as
 * the agent sees them. The routes are listed in `routes.ts`.
 */
import type { Payload } from '../../../runtime/contract/generated/types.ts'
import type { SectionConditions } from '../../../runtime/internal/section-conditions.ts'
import type { Finding } from '../../service/response-rule.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { ActionPageView } from './actions.ts'
import type {
  CustomIds,
  ExchangeGroup,
  ExchangeSummary,
  FailureView,
  WidgetOutcome,
} from './exchanges.ts'

/** Options of opening an issue. */
export interface OpenIssueOptions {
  /** The name of a customer of the project, whose IDs replace those of the issue's customer. */
  readonly customer?: string | undefined
  /** The name of a state of the project, instead of a customer. */
  readonly state?: string | undefined
  /** IDs for this request; they replace all others. */
  readonly params?: CustomIds
  /** Conditions of sections by title, for this request; they replace those of the state. */
  readonly sections?: SectionConditions | undefined
  /** Groups the requests in the inspector. @default a new group for the issue */
  readonly group?: ExchangeGroup
}

/** The customer whose IDs a check sends. */
export interface CheckInput extends Pick<OpenIssueOptions, 'customer' | 'params'> {
  /** The issue with the IDs. Without it, the check uses all customers of the project, or made-up IDs. */
  readonly issueId?: string
}

/** A widget of an issue as the agent sees it. */
export interface WidgetView {
  readonly appId: string
  readonly widgetId: string
  readonly issueId: string
  /** The name of the customer; null if it is unknown. */
  readonly customer: string | null
  /** The name of the project's state. */
  readonly state: string | null
  /** Why the endpoint did not apply a condition of a section; null if it applied them all. */
  readonly unapplied: string | null
  /** The parameters in the order they were sent; empty if no request was sent. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly outcome: WidgetOutcome
  /**
   * The payload that the agent sees. Present for `rendered`, for designed cards,
   * and for `failed` unless the agent sees an error state.
   */
  readonly payload: Payload | null
  /** The unmodified JSON object of an invalid payload, except for redacted header values. */
  readonly value: unknown
  /** The problem in one line; empty for `rendered`. */
  readonly message: string
  /** The fix in one sentence; empty for `rendered`. */
  readonly fix: string
  readonly failures: readonly FailureView[]
  readonly findings: readonly Finding[]
  /** The fault that the emulator injected. */
  readonly injected: FaultEffect | null
  /** Null if no request was sent. */
  readonly exchangeId: string | null
  /**
   * The summary of the request, with its status, cache result and timing; null if
   * none was sent.
   */
  readonly exchange: ExchangeSummary | null
  readonly at: string
  readonly durationMs: number
  /**
   * The last successful render of the same widget, issue, IDs and conditions. Null
   * if this load was successful, or if there was none before.
   */
  readonly lastGood: {
    readonly payload: Payload
    readonly at: string
    /** The request of that render, for a diff. It may no longer be in the log. */
    readonly exchangeId: string
  } | null
}

/** Every widget of an opened issue. */
export interface OpenedWidgets {
  readonly issueId: string
  readonly widgets: readonly WidgetView[]
}

/** Options of an export of all states. */
export interface ExportOptions {
  /** Replaces texts and IDs with placeholders, and moves dates. @default true */
  readonly anonymize?: boolean
}

/** An issue as every customer and in every state of the project. */
export interface StatesRun {
  readonly issueId: string
  readonly group: ExchangeGroup
  readonly states: readonly {
    readonly kind: 'customer' | 'state'
    readonly name: string
    readonly widgets: readonly WidgetView[]
    readonly actions: readonly ActionPageView[]
  }[]
}
