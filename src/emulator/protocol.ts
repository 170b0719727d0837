/**
 * What the workspace and the emulator say to each other. Every route is below
 * `CONTROL_PREFIX`, speaks JSON and wants the run's token in `TOKEN_HEADER`,
 * which the page finds in `<meta name="sidecard-token">`. A refusal is a
 * `ControlProblem`.
 *
 * ```
 * GET    state                                  → WorkspaceState
 * GET    events                                 → text/event-stream of WorkspaceEvent
 * GET    issues/:issueId                        → IssueView
 * POST   issues/:issueId/open        OpenBody   → OpenedWidgets
 * POST   issues/:issueId/widgets/:widgetId/load OpenBody → WidgetView
 * POST   apps                        AppInput   → AppView
 * PATCH  apps/:appId                 AppChange  → AppView
 * DELETE apps/:appId                            → 204
 * POST   apps/:appId/connect                    → AppView   (Retry Connection)
 * POST   apps/:appId/disconnect                 → AppView
 * POST   apps/:appId/check                      → Report of sidecard/check
 * GET    exchanges                              → readonly ExchangeSummary[], newest first
 * GET    exchanges/:exchangeId                  → ExchangeView
 * POST   exchanges/:exchangeId/replay           → ExchangeView
 * PUT    faults                      FaultSettings → FaultSettings
 * POST   reset                       ResetBody  → WorkspaceState
 * ```
 */
import type { Payload } from '../contract/payload.ts'
import type { ConnectionState } from '../desk/connection.ts'
import type { Finding } from '../desk/rules/rule.ts'
import type { FetchDataResult } from '../desk/caller.ts'
import type { HandshakeForm, HandshakeFault } from '../desk/verify.ts'
import type { FaultPreset, FaultRule } from './faults/rules.ts'
import type { ScenarioId } from './host/scenarios.ts'

/** Where the control routes are. */
export const CONTROL_PREFIX = '/-/'

/** The header that carries the token of this run. */
export const TOKEN_HEADER = 'x-sidecard-token'

/** Everything that the workspace shows around an issue. */
export interface WorkspaceState {
  readonly version: string
  readonly organization: { readonly id: string; readonly name: string }
  /** How a client reaches the API: shown for copying, and used for Redact. */
  readonly api: { readonly baseUrl: string; readonly accessToken: string }
  /** Requests outside the contract are refused (true) or only named in a header (false). */
  readonly strict: boolean
  readonly seed: SeedName
  readonly issues: readonly IssueSummary[]
  readonly apps: readonly AppView[]
  readonly scenarios: readonly ScenarioView[]
  readonly faults: FaultSettings
  readonly faultPresets: readonly FaultPresetView[]
}

/** The data that the emulator begins with. */
export type SeedName = 'default' | 'large' | 'empty'

/** An issue in the list. Times are RFC 3339. */
export interface IssueSummary {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly state: 'new' | 'open' | 'waiting' | 'closed'
  readonly account: { readonly id: string; readonly name: string } | null
  readonly requester: { readonly id: string; readonly name: string; readonly email: string }
  readonly assignee: { readonly id: string; readonly name: string } | null
  readonly tags: readonly { readonly value: string; readonly hexColor: string }[]
  /** The first words of the newest message, as text. */
  readonly preview: string
  readonly updatedAt: string
}

/** An issue with its conversation, oldest message first. */
export interface IssueView extends IssueSummary {
  readonly createdAt: string
  readonly messages: readonly MessageView[]
}

/** A message as the API has it; `message_html` is somebody's HTML and must never run. */
export interface MessageView {
  readonly id: string
  readonly thread_id: string
  readonly timestamp: string
  readonly message_html: string
  readonly is_private: boolean
  readonly source: string
  readonly file_urls: readonly string[]
  readonly author: {
    readonly name: string
    readonly avatar_url: string
    readonly contact?: { readonly id: string; readonly email: string }
    readonly user?: { readonly id: string; readonly email: string }
  }
  /** Set once the message was redacted through the API. */
  readonly redacted: boolean
}

/** A custom app. The values of its headers are write-only: nothing gives them back. */
export interface AppView {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly headerNames: readonly string[]
  readonly widgets: readonly { readonly id: string; readonly name: string }[]
  readonly state: ConnectionState
  /** A handshake is on its way. */
  readonly handshaking: boolean
  readonly lastHandshake: HandshakeView | null
}

/** How the newest handshake ended. */
export interface HandshakeView {
  readonly at: string
  readonly exchangeId: string
  readonly durationMs: number
  readonly result:
    | { readonly ok: true; readonly form: HandshakeForm }
    | {
        readonly ok: false
        readonly reason: HandshakeFault
        readonly message: string
        readonly remedy: string
      }
}

/** An app as the form sends it. The emulator shakes hands at once. */
export interface AppInput {
  readonly name: string
  readonly url: string
  /** @default {} */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of its widgets. @default the name of the app */
  readonly widgets?: readonly string[]
}

/** What the form changes. A header given as `null` is removed; one that is not named keeps its value. */
export interface AppChange {
  readonly name?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly widgets?: readonly string[]
}

/** Who is calling, and how, in place of the issue's own ids. */
export interface ScenarioView {
  readonly id: ScenarioId
  readonly name: string
  /** One sentence. */
  readonly description: string
}

/** How an issue is opened. */
export interface OpenBody {
  /** @default 'as-is' */
  readonly scenario?: ScenarioId
}

/** What became of a widget: a data fetch's outcome, or nothing was asked. */
export type WidgetOutcome = FetchDataResult['outcome'] | 'not_connected'

/** A widget of an issue as the agent sees it. */
export interface WidgetView {
  readonly appId: string
  readonly widgetId: string
  readonly issueId: string
  readonly scenario: ScenarioId
  readonly outcome: WidgetOutcome
  /** There when the outcome is `rendered`. */
  readonly payload: Payload | null
  /** The JSON as it came, when it was an object but no valid payload. */
  readonly value: unknown
  /** One line; empty when it was rendered. */
  readonly message: string
  readonly remedy: string
  readonly findings: readonly Finding[]
  readonly exchangeId: string | null
  readonly at: string
  readonly durationMs: number
  /** Of the same widget, issue and scenario; null while nothing was rendered, or when this one was. */
  readonly lastGood: { readonly payload: Payload; readonly at: string } | null
}

/** Every widget of an opened issue. */
export interface OpenedWidgets {
  readonly issueId: string
  readonly widgets: readonly WidgetView[]
}

/** A request that the emulator sent to an app, in the inspector's list. */
export interface ExchangeSummary {
  readonly id: string
  readonly at: string
  readonly kind: 'verify' | 'fetch_data'
  readonly appId: string
  readonly appName: string
  readonly issueId: string | null
  readonly scenario: ScenarioId | null
  /** Null when no answer came. */
  readonly status: number | null
  readonly durationMs: number
  /** `connected` for a handshake that succeeded. */
  readonly outcome: 'connected' | HandshakeFault | WidgetOutcome
  /** How many findings, by level. */
  readonly findings: { readonly MUST: number; readonly SHOULD: number; readonly ASSUMED: number }
  /** The id of the exchange that this one repeats. */
  readonly replayOf: string | null
}

/** Exactly what was sent and what came back. */
export interface ExchangeView extends Omit<ExchangeSummary, 'findings'> {
  readonly request: {
    readonly method: 'GET'
    readonly url: string
    /** In the order in which they were sent. */
    readonly parameters: readonly (readonly [name: string, value: string])[]
    /** Sent with their values, which are write-only. */
    readonly headerNames: readonly string[]
  }
  readonly response: {
    readonly status: number
    readonly statusText: string
    readonly headers: Readonly<Record<string, string>>
    /** As text; bytes that are not UTF-8 show as U+FFFD. At most 256 KiB are kept. */
    readonly body: string
    readonly bodyBytes: number
    readonly truncated: boolean
  } | null
  readonly message: string
  readonly remedy: string
  readonly findings: readonly Finding[]
  /** For a shell; the value of a header is read from an environment variable. */
  readonly curl: string
}

/** The faults that are on. */
export interface FaultSettings {
  /** Decides who is hit: the same seed hits the same requests. */
  readonly seed: number
  readonly rules: readonly FaultRule[]
}

/** A named set of rules. */
export interface FaultPresetView {
  readonly id: FaultPreset
  readonly name: string
  readonly description: string
  readonly rules: readonly FaultRule[]
}

/** How the data is reset. */
export interface ResetBody {
  /** @default the seed of the run */
  readonly seed?: SeedName
}

/** Pushed to the workspace. */
export type WorkspaceEvent =
  /** Something in `WorkspaceState` is not as it was. */
  | { readonly type: 'state' }
  /** Everything may be other than it was: a reset, or a snapshot was restored. */
  | { readonly type: 'replaced' }
  /** The issue was changed by the API: a message was redacted. */
  | { readonly type: 'issue'; readonly issueId: string }
  | { readonly type: 'exchange'; readonly exchange: ExchangeSummary }
  /** The endpoint's source was changed and it answers again: load every widget anew. */
  | { readonly type: 'source_changed' }

/** Why a control request was refused (RFC 9457). */
export interface ControlProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  /** Stable, such as `invalid_app_url`. */
  readonly code: string
  readonly detail: string
  /** The field of the body that is wrong, such as `url` or `headers.x-key`. */
  readonly path?: string
}
