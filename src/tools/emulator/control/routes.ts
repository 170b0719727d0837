import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { constantTimeEqual } from '../../../runtime/internal/constant-time-equal.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { type EmulatorContext, requireFolder } from '../core/context.ts'
import { readActionState } from '../apps/action-state.ts'
import type { PathParameters, RouteBody, RouteName, RouteResult } from '../protocol/routes.ts'
import { TOKEN_HEADER } from '../protocol/workspace.ts'
import { eventStream } from './event-stream.ts'
import { readBody } from './read-body.ts'
import { type ControlledEmulator, workspaceState } from './workspace-state.ts'

/**
 * Handles a route with its path parameters and its body, if it has one. The
 * emulator validates the body.
 */
type Handlers = {
  readonly [Name in RouteName]: (
    parameters: PathParameters<Name>,
    body: RouteBody<Name>,
  ) => RouteResult<Name> | Promise<RouteResult<Name>>
}

/**
 * A handler without types, because the compiler cannot relate the path and the
 * body of one route.
 */
type UntypedHandler = (parameters: object, body: object | undefined) => unknown

function createHandlers(context: EmulatorContext, emulator: ControlledEmulator): Handlers {
  const { apps, issues, exchanges, console } = emulator
  const state = () => workspaceState(context, emulator)

  return {
    'GET state': state,
    'GET issues/:issueId': ({ issueId }) => issues.get(issueId),
    'POST issues/:issueId/open': ({ issueId }, body) => issues.open(issueId, body),
    'POST issues/:issueId/states': ({ issueId }) => issues.openStates(issueId),
    'POST issues/:issueId/export': ({ issueId }, body) => issues.exportStates(issueId, body),
    'POST issues/:issueId/widgets/:widgetId/load': ({ issueId, widgetId }, body) =>
      issues.loadWidget(issueId, widgetId, body),
    'POST apps': (_, body) => apps.create(body),
    'PATCH apps/:appId': ({ appId }, body) => apps.update(appId, body),
    'DELETE apps/:appId': ({ appId }) => apps.remove(appId),
    'POST apps/:appId/connect': ({ appId }) => apps.connect(appId),
    'POST apps/:appId/disconnect': ({ appId }) => apps.disconnect(appId),
    'POST apps/:appId/check': ({ appId }, { issueId, ...replaced }) =>
      apps.check(
        appId,
        issueId === undefined ? {} : { params: issues.readIds(appId, issueId, replaced) },
      ),
    'GET exchanges': () => exchanges.list(),
    'DELETE exchanges': () => exchanges.clear(),
    'GET exchanges/:exchangeId': ({ exchangeId }) => exchanges.get(exchangeId),
    'POST exchanges/:exchangeId/replay': ({ exchangeId }) => exchanges.replay(exchangeId),
    'POST exchanges/:exchangeId/save': ({ exchangeId }, body) => exchanges.save(exchangeId, body),
    'GET exchanges/:exchangeId/shape': ({ exchangeId }) => exchanges.shape(exchangeId),
    'GET exchanges/:exchangeId/texts': ({ exchangeId }) => exchanges.ownTexts(exchangeId),
    'POST exchanges/:exchangeId/state': async ({ exchangeId }, body) => {
      await exchanges.saveState(exchangeId, body)
      return state()
    },
    'GET console': () => console.list(),
    'DELETE console': () => console.clear(),
    'POST source/frame': (_, position) => requireFolder(context).sources.frame(position),
    'POST source/open': (_, position) => requireFolder(context).sources.openInEditor(position),
    'POST saves/load': () => context.saves.load(),
    // Newest first.
    'GET tasks': () => context.store.all('task').slice(-MAX_TASKS).toReversed(),
    'POST actions/state': (_, body) => readActionState(body, context.log),
    'POST reset': (_, body) => {
      emulator.reset({ ...body, keepApps: true })
      return state()
    },
  }
}

const MAX_TASKS = 100

const LIMIT_BODY = bodyLimit({
  maxSize: 1_048_576,
  onError() {
    throw new SidecardError('body_too_large', 'The body must not exceed 1 MiB.')
  },
})

const CREATED: readonly string[] = ['POST apps', 'POST exchanges/:exchangeId/save']

/**
 * Creates the control routes, relative to their prefix. They require the session
 * token, and throw their errors.
 */
export function createControl(
  context: EmulatorContext,
  emulator: ControlledEmulator,
  token: string,
): Hono {
  const control = new Hono()

  control.use(async (c, next) => {
    if (!constantTimeEqual(c.req.header(TOKEN_HEADER) ?? '', token)) {
      throw new SidecardError('wrong_token', 'The session token is invalid. Reload the page.')
    }
    await next()
    c.header('cache-control', 'no-store')
  })

  control.get('/events', (c) => eventStream(context.events, c.req.raw.signal))
  for (const [name, handle] of Object.entries(createHandlers(context, emulator))) {
    const [method = '', path = ''] = name.split(' ')
    control.on(method, `/${path}`, LIMIT_BODY, async (c) => {
      const body = method === 'GET' || method === 'DELETE' ? undefined : await readBody(c.req.raw)
      const result: unknown = await (handle as UntypedHandler)(c.req.param(), body)
      if (result === undefined) return c.body(null, 204)
      return c.json(result as object, CREATED.includes(name) ? 201 : 200)
    })
  }

  control.all('*', () => {
    throw new SidecardError('not_found', 'Unknown control route.')
  })
  return control
}
