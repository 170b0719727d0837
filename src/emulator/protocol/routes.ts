/**
 * The routes of the control interface, as data. The server's handlers and the
 * workspace's calls are typed by this table. Every route is below
 * `CONTROL_PREFIX`, speaks JSON, and requires the session token in
 * `TOKEN_HEADER`, which the page contains in `<meta name="sidecard-token">`. A
 * rejected request returns a `ControlProblem`. `GET events` is the only other
 * route: a text/event-stream of `WorkspaceEvent`.
 */
import * as z from 'zod'
import type { Report } from '../../check/report.ts'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { faultSettingsSchema } from '../faults/settings-schema.ts'
import type { FaultSettings } from '../faults/rules.ts'
import {
  type CodeFrame,
  type ConsoleEntry,
  type ExchangeSummary,
  type ExchangeView,
  type ImportResult,
  MAX_EXCHANGES,
  MAX_ID_LENGTH,
  type ReplayInput,
  type SaveInput,
  type SaveResult,
  SCENARIO_IDS,
  type SourcePosition,
} from './exchanges.ts'
import type {
  CheckInput,
  OpenedWidgets,
  OpenIssueOptions,
  StatesRun,
  WidgetView,
} from './widgets.ts'
import {
  type AppInput,
  type AppUpdate,
  type AppView,
  DATASETS,
  type IssueView,
  type ResetOptions,
  type WorkspaceState,
} from './workspace.ts'

const headerValues = z.record(z.string().min(1).max(200), z.string().max(4_096))
const url = z.string().min(1, 'Enter the URL of the endpoint.').max(2_048)

const appInputSchema = z.strictObject({
  name: z.string(),
  url,
  headers: headerValues.exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

const appUpdateSchema = z.strictObject({
  name: z.string().exactOptional(),
  url: url.exactOptional(),
  headers: z.record(z.string().min(1).max(200), z.string().max(4_096).nullable()).exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

/** The state of the request log. */
interface Paused {
  readonly paused: boolean
}

/** The requests to export. Without IDs, it is all of them. */
interface ExportInput {
  readonly ids?: readonly string[]
  /** @default true */
  readonly anonymize?: boolean
}

const identifier = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')

const customIds = z.strictObject(
  Object.fromEntries(
    FETCH_DATA_PARAMETERS.map((name) => [
      name,
      z.string().max(MAX_ID_LENGTH).nullable().exactOptional(),
    ]),
  ),
)

const openIssueSchema = z.strictObject({
  scenario: z.enum(SCENARIO_IDS).exactOptional(),
  preset: z.string().max(64).exactOptional(),
  params: customIds.exactOptional(),
  group: z
    .strictObject({ id: identifier, kind: z.enum(['open', 'save', 'states', 'parallel']) })
    .exactOptional(),
})

const checkSchema = z.strictObject({
  issueId: z.string().max(200).exactOptional(),
  preset: z.string().max(64).exactOptional(),
  params: customIds.exactOptional(),
})

const positionSchema = z.strictObject({
  file: z.string().min(1).max(1_000),
  line: z.number().int().min(1),
  column: z.number().int().min(1).exactOptional(),
})

const pausedSchema = z.strictObject({ paused: z.boolean() })

const exportSchema = z.strictObject({
  ids: z.array(z.string()).max(MAX_EXCHANGES).exactOptional(),
  anonymize: z.boolean().exactOptional(),
})

const replaySchema = z.strictObject({ appId: z.string().max(64).exactOptional() })

const saveSchema = z.strictObject({
  as: z.enum(['fixture', 'test']),
  name: z.string().exactOptional(),
  anonymize: z.boolean().exactOptional(),
})

const resetSchema = z.strictObject({
  dataset: z.enum(DATASETS).exactOptional(),
})

const MAX_HAR_BYTES = 33_554_432

/** A route: what its body must be, and what it returns. */
export interface Route<Body = undefined, Result = unknown> {
  /** Validates the body. Without it, the body is ignored. */
  readonly body?: z.ZodType<Body>
  /** @default 1 MiB */
  readonly maxBytes?: number
  /** @default 200, or 204 without a result */
  readonly status?: 201
  /** Only a type: what the route returns. */
  readonly result?: Result
}

/** A route without a body. */
const plain = <Result>(): Route<undefined, Result> => ({})

/** A route with a body. */
const withBody = <Body, Result>(
  body: z.ZodType<Body>,
  rest: Pick<Route, 'maxBytes' | 'status'> = {},
): Route<Body, Result> => ({ body, ...rest })

/** The routes, by method and path. */
export const ROUTES = {
  'GET state': plain<WorkspaceState>(),
  'GET issues/:issueId': plain<IssueView>(),
  'POST issues/:issueId/open': withBody<OpenIssueOptions, OpenedWidgets>(openIssueSchema),
  'POST issues/:issueId/states': plain<StatesRun>(),
  'POST issues/:issueId/widgets/:widgetId/load': withBody<OpenIssueOptions, WidgetView>(
    openIssueSchema,
  ),
  'POST apps': withBody<AppInput, AppView>(appInputSchema, { status: 201 }),
  'PATCH apps/:appId': withBody<AppUpdate, AppView>(appUpdateSchema),
  'DELETE apps/:appId': plain<void>(),
  'POST apps/:appId/connect': plain<AppView>(),
  'POST apps/:appId/disconnect': plain<AppView>(),
  'POST apps/:appId/check': withBody<CheckInput, Report>(checkSchema),
  'GET exchanges': plain<readonly ExchangeSummary[]>(),
  'DELETE exchanges': plain<void>(),
  'PUT exchanges/paused': withBody<Paused, Paused>(pausedSchema),
  'POST exchanges/export': withBody<ExportInput, object>(exportSchema),
  'POST exchanges/import': withBody<unknown, ImportResult>(z.unknown(), {
    maxBytes: MAX_HAR_BYTES,
  }),
  'GET exchanges/:exchangeId': plain<ExchangeView>(),
  'POST exchanges/:exchangeId/replay': withBody<ReplayInput, ExchangeView>(replaySchema),
  'POST exchanges/:exchangeId/save': withBody<SaveInput, SaveResult>(saveSchema, { status: 201 }),
  'GET console': plain<readonly ConsoleEntry[]>(),
  'DELETE console': plain<void>(),
  'POST source/frame': withBody<SourcePosition, CodeFrame>(positionSchema),
  'POST source/open': withBody<SourcePosition, void>(positionSchema),
  'PUT faults': withBody<FaultSettings, FaultSettings>(faultSettingsSchema),
  'POST reset': withBody<ResetOptions, WorkspaceState>(resetSchema),
}

/** The table of the routes. The workspace imports only this type. */
export type Routes = typeof ROUTES

/** The name of a route, such as `POST apps/:appId/check`. */
export type RouteName = keyof Routes

/** The names of the parameters in a path, with their values. */
export type PathParameters<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? { readonly [Key in Name]: string } & PathParameters<Rest>
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : object

/** The body of a route; `undefined` if it has none. */
export type RouteBody<Name extends RouteName> =
  Routes[Name] extends Route<infer Body, infer _Result> ? Body : never

/** The result of a route. */
export type RouteResult<Name extends RouteName> =
  Routes[Name] extends Route<infer _Body, infer Result> ? Result : never
