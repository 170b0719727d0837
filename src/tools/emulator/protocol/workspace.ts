/** The state of the workspace, and its events. The routes are listed in `routes.ts`. */
import type { Report } from '../../check/report/report.ts'
import type { HeadersOption } from '../../../runtime/internal/read-options.ts'
import type { ConnectionState } from '../../service/endpoint/connection.ts'
import type {
  HandshakeForm,
  HandshakeFailureReason,
} from '../../service/responses/validate-handshake.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type {
  ConsoleEntry,
  ExchangeGroup,
  ExchangeSummary,
  HandshakeExplanation,
  CustomerView,
  StateView,
  SourceLocation,
} from './exchanges.ts'

/** The path prefix of the control routes. */
export const CONTROL_PREFIX = '/-/'

/** The path prefix of the pages of actions in All states. */
export const ACTION_PAGES = `${CONTROL_PREFIX}action-pages/`

/** The header that carries the session token. */
export const TOKEN_HEADER = 'x-sidecard-token'

/** The state of the workspace, without the conversations of issues. */
export interface WorkspaceState {
  readonly version: string
  readonly organization: { readonly id: string; readonly name: string }
  /** The connection data of the API, for copying and for Redact. */
  readonly api: { readonly baseUrl: string; readonly accessToken: string }
  /** Whether undocumented API requests are rejected, or only reported in a response header. */
  readonly strict: boolean
  /** The customers and states of the project, for `OpenIssueOptions`. */
  readonly customers: readonly CustomerView[]
  readonly states: readonly StateView[]
  /** Whether the workspace can save states. */
  readonly canSaveStates: boolean
  /** The URL of the documentation site, for links to share; null without one. */
  readonly siteUrl: string | null
  /** Timeout per response of an app, in milliseconds. */
  readonly timeoutMs: number
  /** The folder for fixtures and tests; null without a project folder. */
  readonly project: { readonly directory: string } | null
  /** The dev server that `sidecard dev` runs; null without one. */
  readonly devServer: DevServerView | null
  /** Why the newest change of the project file is not in use, with its line; null if it is. */
  readonly projectProblem: string | null
  /** What happened to the newest save, for each server of `sidecard dev`. */
  readonly saves: readonly SaveView[]
  readonly issues: readonly IssueSummary[]
  readonly apps: readonly AppView[]
}

/** An error in the output of the dev command. */
export interface ExceptionView {
  readonly location: SourceLocation | null
  /** The lines of the output with the error; empty if there are none. */
  readonly excerpt: string
}

/** The dev command. */
export interface DevServerView extends ExceptionView {
  readonly state: 'starting' | 'running' | 'failed'
  /** One line, such as "your command failed (exit code 1)"; empty while it runs. */
  readonly message: string
}

/** What happened to the newest save of a file. */
export interface SaveView {
  /** The apps of the server that loads the file. */
  readonly appIds: readonly string[]
  /**
   * - `current`: nothing was saved since the start.
   * - `waiting`: the new code has not answered. `loading`: it has, and its data is requested.
   * - `shown`: the sidebar is from the new code. `unchanged`: the code that responds is not new.
   * - `failed`: the new code does not run, so the sidebar is from older code.
   */
  readonly phase: 'current' | 'saved' | 'waiting' | 'loading' | 'shown' | 'unchanged' | 'failed'
  /** The paths relative to the project. */
  readonly files: readonly string[]
  /** RFC 3339. */
  readonly at: string
  /** The file that waits because the app seems to write it, and until when; null if none does. */
  readonly held: { readonly file: string; readonly until: string } | null
}

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
  /** The beginning of the newest message, as text. */
  readonly preview: string
  readonly updatedAt: string
}

/** An issue with its conversation, oldest message first. */
export interface IssueView extends IssueSummary {
  readonly createdAt: string
  readonly messages: readonly MessageView[]
}

/** A message as the API returns it. `message_html` is untrusted HTML. */
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
  /** Whether the message was redacted through the API. */
  readonly redacted: boolean
}

/** A custom app. The values of its headers are write-only. */
export interface AppView {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly headerNames: readonly string[]
  readonly widgets: readonly { readonly id: string; readonly name: string }[]
  readonly state: ConnectionState
  /** Whether a handshake is pending. */
  readonly handshaking: boolean
  readonly lastHandshake: HandshakeView | null
}

/** The result of the newest handshake. */
export interface HandshakeView {
  readonly at: string
  readonly exchangeId: string
  readonly durationMs: number
  readonly result:
    | { readonly ok: true; readonly form: HandshakeForm }
    | {
        readonly ok: false
        readonly reason: HandshakeFailureReason
        readonly message: string
        readonly fix: string
        readonly explanation: HandshakeExplanation
        /** The fault that the emulator injected. */
        readonly injected: FaultEffect | null
      }
}

/** A new app. The emulator performs the handshake immediately. */
export interface AppInput {
  readonly name: string
  readonly url: string
  /** @default {} */
  readonly headers?: HeadersOption
  /** Names of its widgets. @default the app's name */
  readonly widgets?: readonly string[] | undefined
}

/** Changes to an app. A `null` header is removed; a header that is absent keeps its value. */
export interface AppUpdate {
  readonly name?: string | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  readonly widgets?: readonly string[] | undefined
}

/** An event that the emulator pushes to the workspace. */
export type WorkspaceEvent =
  /** `WorkspaceState` changed. */
  | { readonly type: 'state' }
  /** The data was reset, or a snapshot was restored, so anything may have changed. */
  | { readonly type: 'reset' }
  /** The issue was changed through the API: a message was redacted. */
  | { readonly type: 'issue'; readonly issueId: string }
  /** A task was created through the API. */
  | { readonly type: 'tasks' }
  | { readonly type: 'exchange'; readonly exchange: ExchangeSummary }
  /** The app printed an exception during a request. Its response does not contain the error. */
  | ({ readonly type: 'exception'; readonly exchangeId: string } & ExceptionView)
  /** The request log was cleared. */
  | { readonly type: 'exchanges_cleared' }
  | { readonly type: 'console'; readonly entries: readonly ConsoleEntry[] }
  /** The console was cleared. */
  | { readonly type: 'console_cleared' }
  /**
   * The source changed: load every widget, in this group. The note contains what the
   * page cannot know.
   */
  | { readonly type: 'source_changed'; readonly group?: ExchangeGroup; readonly note?: string }
  /** A save has made progress. */
  | { readonly type: 'saves'; readonly saves: readonly SaveView[] }
  /** Request the sidebar as a customer or in a state of the project. */
  | {
      readonly type: 'request_as'
      readonly subject: { readonly kind: 'customer' | 'state'; readonly name: string }
    }
  /** A check of an app ended. */
  | { readonly type: 'checked'; readonly app: string; readonly report: CheckSummary }

/** The findings of a check, without its details. */
export type CheckSummary = Pick<Report, 'verdict' | 'summary' | 'durationMs'>

/** The problem response to a rejected control request (RFC 9457). */
export interface ControlProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  /** The stable code, such as `invalid_app_url`. */
  readonly code: string
  readonly detail: string
  /** The invalid field of the body, such as `url` or `headers.x-key`. */
  readonly path?: string
}
