import { Hono } from 'hono'
import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import type { EventHub } from '../events.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { EmulatorApps } from '../host/apps.ts'
import { type ExchangeLog, type RecordedExchange, viewOf } from '../host/exchange-log.ts'
import type { EmulatorIssues } from '../host/issues.ts'
import { type ResetBody, TOKEN_HEADER, type WorkspaceState } from '../protocol.ts'
import {
  appChangeSchema,
  appInputSchema,
  faultSettingsSchema,
  openBodySchema,
  resetBodySchema,
} from './bodies.ts'
import { eventStream } from './events.ts'
import { ControlError, problemResponse } from './problem.ts'
import { readBody } from './read-body.ts'

/** What the control routes drive. */
export interface ControlOptions {
  /** The token of this run. */
  readonly token: string
  readonly apps: EmulatorApps
  readonly issues: EmulatorIssues
  readonly exchanges: ExchangeLog
  readonly faults: FaultEngine
  readonly events: EventHub
  readonly state: () => WorkspaceState
  readonly replay: (recorded: RecordedExchange) => Promise<RecordedExchange>
  readonly reset: (body: ResetBody) => void
}

/** The routes of `protocol.ts`, relative to its prefix. */
export function createControl(options: ControlOptions): Hono {
  const { apps, issues, exchanges, faults, events } = options
  const control = new Hono()

  control.use(async (c, next) => {
    if (!constantTimeEqual(c.req.header(TOKEN_HEADER) ?? '', options.token)) {
      const detail = `The header ${TOKEN_HEADER} does not hold the token of this run: reload the page.`
      throw new ControlError(401, 'wrong_token', detail)
    }
    await next()
    c.header('cache-control', 'no-store')
  })

  control.get('/state', (c) => c.json(options.state()))
  control.get('/events', (c) => eventStream(events, c.req.raw.signal))
  control.get('/issues/:issueId', (c) => c.json(issues.get(c.req.param('issueId'))))
  control.post('/issues/:issueId/open', async (c) => {
    const body = await readBody(c.req.raw, openBodySchema)
    return c.json(await issues.open(c.req.param('issueId'), body))
  })
  control.post('/issues/:issueId/widgets/:widgetId/load', async (c) => {
    const body = await readBody(c.req.raw, openBodySchema)
    return c.json(await issues.loadWidget(c.req.param('issueId'), c.req.param('widgetId'), body))
  })

  control.post('/apps', async (c) =>
    c.json(await apps.create(await readBody(c.req.raw, appInputSchema)), 201),
  )
  control.patch('/apps/:appId', async (c) => {
    const change = await readBody(c.req.raw, appChangeSchema)
    return c.json(await apps.update(c.req.param('appId'), change))
  })
  control.delete('/apps/:appId', (c) => {
    apps.remove(c.req.param('appId'))
    return c.body(null, 204)
  })
  control.post('/apps/:appId/connect', async (c) =>
    c.json(await apps.connect(c.req.param('appId'))),
  )
  control.post('/apps/:appId/disconnect', (c) => c.json(apps.disconnect(c.req.param('appId'))))
  control.post('/apps/:appId/check', async (c) => c.json(await apps.check(c.req.param('appId'))))

  control.get('/exchanges', (c) => c.json(exchanges.list()))
  control.get('/exchanges/:id', (c) => c.json(viewOf(exchange(c.req.param('id')))))
  control.post('/exchanges/:id/replay', async (c) =>
    c.json(viewOf(await options.replay(exchange(c.req.param('id'))))),
  )

  control.put('/faults', async (c) => {
    faults.set(await readBody(c.req.raw, faultSettingsSchema))
    events.emit({ type: 'state' })
    return c.json(faults.settings)
  })
  control.post('/reset', async (c) => {
    options.reset(await readBody(c.req.raw, resetBodySchema))
    return c.json(options.state())
  })

  control.notFound(() => {
    throw new ControlError(404, 'not_found', 'There is no such control route.')
  })
  control.onError(problemResponse)
  return control

  function exchange(id: string): RecordedExchange {
    const recorded = exchanges.get(id)
    if (recorded !== undefined) return recorded
    throw new ControlError(404, 'not_found', 'This exchange is not in the log any more.')
  }
}
