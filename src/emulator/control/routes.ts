import { Hono } from 'hono'
import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import type { EventHub } from '../events.ts'
import type { EmulatorConsole } from '../console.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { EmulatorApps } from '../host/apps.ts'
import type { EmulatorExchanges } from '../host/exchanges.ts'
import type { IssueRegistry } from '../host/issues.ts'
import { type ResetOptions, TOKEN_HEADER, type WorkspaceState } from '../protocol/workspace.ts'
import {
  type PathParameters,
  type Route,
  type RouteBody,
  type RouteName,
  type RouteResult,
  ROUTES,
} from '../protocol/routes.ts'
import type { SourceFiles } from '../store/source-files.ts'
import { eventStream } from './event-stream.ts'
import { ControlError, problemResponse } from './problem.ts'
import { readBody } from './read-body.ts'

/** Options for `createControl()`. */
export interface ControlOptions {
  /** The session token. */
  readonly token: string
  readonly apps: EmulatorApps
  readonly issues: IssueRegistry
  readonly exchanges: EmulatorExchanges
  readonly console: EmulatorConsole
  readonly faults: FaultEngine
  readonly events: EventHub
  /** The scripts of the project; `undefined` without a project folder. */
  readonly sources: SourceFiles | undefined
  readonly state: () => WorkspaceState
  readonly reset: (options: ResetOptions) => void
}

/** Handles a route: its path parameters, and the body if it has one. */
type Handlers = {
  readonly [Name in RouteName]: (
    parameters: PathParameters<Name>,
    body: RouteBody<Name>,
  ) => RouteResult<Name> | Promise<RouteResult<Name>>
}

/** The path and the table of the same route are not related for the compiler. */
type UntypedHandler = (parameters: object, body: unknown) => unknown

function createHandlers(options: ControlOptions): Handlers {
  const { apps, issues, exchanges, faults, console, state, reset } = options
  return {
    'GET state': () => state(),
    'GET issues/:issueId': ({ issueId }) => issues.get(issueId),
    'POST issues/:issueId/open': ({ issueId }, body) => issues.open(issueId, body),
    'POST issues/:issueId/states': ({ issueId }) => issues.openStates(issueId),
    'POST issues/:issueId/widgets/:widgetId/load': ({ issueId, widgetId }, body) =>
      issues.loadWidget(issueId, widgetId, body),
    'POST apps': (_, body) => apps.create(body),
    'PATCH apps/:appId': ({ appId }, body) => apps.update(appId, body),
    'DELETE apps/:appId': ({ appId }) => apps.remove(appId),
    'POST apps/:appId/connect': ({ appId }) => apps.connect(appId),
    'POST apps/:appId/disconnect': ({ appId }) => apps.disconnect(appId),
    'POST apps/:appId/check': ({ appId }, { issueId, ...replaced }) =>
      apps.check(appId, {
        params: issueId === undefined ? {} : issues.readIds(appId, issueId, replaced),
      }),
    'GET exchanges': () => exchanges.list(),
    'DELETE exchanges': () => exchanges.clear(),
    'PUT exchanges/paused': (_, { paused }) => {
      exchanges.paused = paused
      return { paused }
    },
    'POST exchanges/export': (_, body) => exchanges.exportHar(body),
    'POST exchanges/import': (_, body) => exchanges.importHar(body),
    'GET exchanges/:exchangeId': ({ exchangeId }) => exchanges.get(exchangeId),
    'POST exchanges/:exchangeId/replay': ({ exchangeId }, body) =>
      exchanges.replay(exchangeId, body),
    'POST exchanges/:exchangeId/save': ({ exchangeId }, body) => exchanges.save(exchangeId, body),
    'GET console': () => console.list(),
    'DELETE console': () => console.clear(),
    'POST source/frame': (_, position) => sources(options).frame(position),
    'POST source/open': (_, position) => sources(options).openInEditor(position),
    'PUT faults': (_, { rules, seed }) => {
      faults.set(rules, { seed })
      return faults.settings
    },
    'POST reset': (_, body) => {
      reset(body)
      return state()
    },
  }
}

function sources({ sources: found }: ControlOptions): SourceFiles {
  if (found !== undefined) return found
  throw new ControlError(409, 'no_project', 'The emulator has no project folder.')
}

const MAX_BODY_BYTES = 1_048_576

/** Creates the control routes, relative to their prefix. */
export function createControl(options: ControlOptions): Hono {
  const { events } = options
  const control = new Hono()

  control.use(async (c, next) => {
    if (!constantTimeEqual(c.req.header(TOKEN_HEADER) ?? '', options.token)) {
      const detail = 'The session token is invalid. Reload the page.'
      throw new ControlError(401, 'wrong_token', detail)
    }
    await next()
    c.header('cache-control', 'no-store')
  })

  control.get('/events', (c) => eventStream(events, c.req.raw.signal))
  for (const [name, handle] of Object.entries(createHandlers(options))) {
    const route: Route<unknown> = ROUTES[name as RouteName]
    const [method = '', path = ''] = name.split(' ')
    control.on(method, `/${path}`, async (c) => {
      const body =
        route.body === undefined
          ? undefined
          : await readBody(c.req.raw, route.body, route.maxBytes ?? MAX_BODY_BYTES)
      const result: unknown = await (handle as UntypedHandler)(c.req.param(), body)
      return result === undefined
        ? c.body(null, 204)
        : c.json(result as object, route.status ?? 200)
    })
  }

  control.notFound(() => {
    throw new ControlError(404, 'not_found', 'Unknown control route.')
  })
  control.onError(problemResponse)
  return control
}
