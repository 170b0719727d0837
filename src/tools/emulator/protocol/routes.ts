/**
 * The routes of the control interface. The server's handlers and the workspace's
 * calls are typed by this table. Every route is below `CONTROL_PREFIX`, speaks
 * JSON, and requires the session token in `TOKEN_HEADER`, which the page contains
 * in `<meta name="sidecard-token">`. The functions of the emulator validate the
 * bodies. A rejected request returns a `ControlProblem`. `GET events` is the only
 * other route: a text/event-stream of `WorkspaceEvent`.
 */
import type { ParamKeys } from 'hono/types'
import type { Report } from '../../check/report/report.ts'
import type { ActionLink, ActionState } from './actions.ts'
import type {
  CodeFrame,
  ConsoleEntry,
  ExchangeSummary,
  ExchangeView,
  PayloadShape,
  SaveInput,
  SaveResult,
  SaveStateInput,
  SourcePosition,
} from './exchanges.ts'
import type { TaskView } from './tasks.ts'
import type {
  CheckInput,
  ExportOptions,
  OpenedWidgets,
  OpenIssueOptions,
  StatesRun,
  WidgetView,
} from './widgets.ts'
import type { AppInput, AppUpdate, AppView, IssueView, WorkspaceState } from './workspace.ts'

/** A route: its body, `undefined` if it has none, and its result. */
interface Route<Body, Result> {
  readonly body: Body
  readonly result: Result
}

/** The routes, by method and path. */
interface Routes {
  'GET state': Route<undefined, WorkspaceState>
  'GET issues/:issueId': Route<undefined, IssueView>
  'POST issues/:issueId/open': Route<OpenIssueOptions, OpenedWidgets>
  'POST issues/:issueId/states': Route<undefined, StatesRun>
  'POST issues/:issueId/export': Route<ExportOptions, { readonly html: string }>
  'POST issues/:issueId/widgets/:widgetId/load': Route<OpenIssueOptions, WidgetView>
  'POST apps': Route<AppInput, AppView>
  'PATCH apps/:appId': Route<AppUpdate, AppView>
  'DELETE apps/:appId': Route<undefined, void>
  'POST apps/:appId/connect': Route<undefined, AppView>
  'POST apps/:appId/disconnect': Route<undefined, AppView>
  'POST apps/:appId/check': Route<CheckInput, Report>
  'GET exchanges': Route<undefined, readonly ExchangeSummary[]>
  'DELETE exchanges': Route<undefined, void>
  'GET exchanges/:exchangeId': Route<undefined, ExchangeView>
  'POST exchanges/:exchangeId/replay': Route<undefined, ExchangeView>
  'POST exchanges/:exchangeId/save': Route<SaveInput, SaveResult>
  'GET exchanges/:exchangeId/shape': Route<undefined, PayloadShape>
  'GET exchanges/:exchangeId/texts': Route<undefined, readonly string[]>
  'POST exchanges/:exchangeId/state': Route<SaveStateInput, WorkspaceState>
  'GET console': Route<undefined, readonly ConsoleEntry[]>
  'DELETE console': Route<undefined, void>
  'POST source/frame': Route<SourcePosition, CodeFrame>
  'POST source/open': Route<SourcePosition, void>
  'POST saves/load': Route<undefined, void>
  'GET tasks': Route<undefined, readonly TaskView[]>
  'POST actions/state': Route<ActionLink, ActionState>
  'POST reset': Route<object, WorkspaceState>
}

/** The name of a route, such as `POST apps/:appId/check`. */
export type RouteName = keyof Routes

/** The values of the parameters in a path. */
export type PathParameters<Path extends string> = { readonly [Name in ParamKeys<Path>]: string }

/** The body of a route; `undefined` if it has none. */
export type RouteBody<Name extends RouteName> = Routes[Name]['body']

/** The result of a route. */
export type RouteResult<Name extends RouteName> = Routes[Name]['result']
