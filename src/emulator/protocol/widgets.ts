/**
 * The data of an opened issue: scenarios, and the widgets as the agent sees
 * them. The routes are listed in `routes.ts`.
 */
import type { Payload } from '../../contract/generated/types.ts'
import type { Finding } from '../../service/rules/rule.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { Scenario, ScenarioId } from '../host/scenarios.ts'
import type {
  CustomIds,
  ExchangeGroup,
  ExchangeSummary,
  FailureView,
  WidgetOutcome,
} from './exchanges.ts'

/** A variation of the data fetch for an issue. */
export type ScenarioView = Pick<Scenario, 'id' | 'name' | 'description'>

/** Options for opening an issue. */
export interface OpenIssueOptions {
  /** The situation to emulate. @default 'as-is' */
  readonly scenario?: ScenarioId
  /** The ID of a preset. Its IDs replace those of the issue before the scenario applies. */
  readonly preset?: string | undefined
  /** Custom IDs; they replace those of the issue and of the preset, and no scenario changes them. */
  readonly params?: CustomIds
  /** Groups the requests in the inspector. @default a new group for the issue */
  readonly group?: ExchangeGroup
}

/** Whose IDs a check sends. */
export interface CheckInput extends Pick<OpenIssueOptions, 'preset' | 'params'> {
  /** The issue with the IDs. Without it, the checker makes up all IDs. */
  readonly issueId?: string
}

/** A widget of an issue as the agent sees it. */
export interface WidgetView {
  readonly appId: string
  readonly widgetId: string
  readonly issueId: string
  readonly scenario: ScenarioId
  readonly presetId: string | null
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
  /** One sentence that says what to do; empty for `rendered`. */
  readonly fix: string
  readonly failures: readonly FailureView[]
  readonly findings: readonly Finding[]
  /** The fault that the emulator injected. */
  readonly injected: FaultEffect | null
  /** Null if no request was sent, or the log is paused. */
  readonly exchangeId: string | null
  /** Status, bytes, cache, trace ID and timing of the request; null if none was sent. */
  readonly exchange: ExchangeSummary | null
  readonly at: string
  readonly durationMs: number
  /**
   * The last successful render of the same widget, issue, scenario and IDs. Null
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

/** An issue in every state: every scenario with the issue's IDs, then every preset. */
export interface StatesRun {
  readonly issueId: string
  readonly group: ExchangeGroup
  readonly states: readonly {
    readonly scenario: ScenarioId
    /** Null for a scenario of the issue itself. */
    readonly presetId: string | null
    readonly name: string
    readonly widgets: readonly WidgetView[]
  }[]
}
