import { Hono } from 'hono'
import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import type { EventHub } from '../events.ts'
import type { EmulatorConsole } from '../console.ts'
import type { FaultEngine } from '../faults/engine.ts'
import { faultSettingsSchema } from '../faults/settings-schema.ts'
import type { EmulatorApps } from '../host/apps.ts'
import type { EmulatorExchanges } from '../host/exchanges.ts'
import type { EmulatorIssues } from '../host/issues.ts'
import { type ResetOptions, TOKEN_HEADER, type WorkspaceState } from '../protocol.ts'
import {
  appInputSchema,
  appUpdateSchema,
  exportSchema,
  harSchema,
  openIssueSchema,
  pausedSchema,
  replaySchema,
  resetSchema,
  saveSchema,
} from './bodies.ts'
import { eventStream } from './event-stream.ts'
import { ControlError, problemResponse } from './problem.ts'
import { readBody } from './read-body.ts'

/** Options for `createControl()`. */
export interface ControlOptions {
  /** The session token. */
  readonly token: string
  readonly apps: EmulatorApps
  readonly issues: EmulatorIssues
  readonly exchanges: EmulatorExchanges
  readonly console: EmulatorConsole
  readonly faults: FaultEngine
  readonly events: EventHub
  readonly state: () => WorkspaceState
  readonly reset: (options: ResetOptions) => void
}

const MAX_HAR_BYTES = 33_554_432

/** Creates the routes of `protocol.ts`, relative to their prefix. */
export function createControl(options: ControlOptions): Hono {
  const { apps, issues, exchanges, faults, events } = options
  const control = new Hono()

  control.use(async (c, next) => {
    if (!constantTimeEqual(c.req.header(TOKEN_HEADER) ?? '', options.token)) {
      const detail = 'The session token is invalid. Reload the page.'
      throw new ControlError(401, 'wrong_token', detail)
    }
    await next()
    c.header('cache-control', 'no-store')
  })

  control.get('/state', (c) => c.json(options.state()))
  control.get('/events', (c) => eventStream(events, c.req.raw.signal))
  control.get('/issues/:issueId', (c) => c.json(issues.get(c.req.param('issueId'))))
  control.post('/issues/:issueId/open', async (c) => {
    const body = await readBody(c.req.raw, openIssueSchema)
    return c.json(await issues.open(c.req.param('issueId'), body))
  })
  control.post('/issues/:issueId/states', async (c) =>
    c.json(await issues.openStates(c.req.param('issueId'))),
  )
  control.post('/issues/:issueId/widgets/:widgetId/load', async (c) => {
    const body = await readBody(c.req.raw, openIssueSchema)
    return c.json(await issues.loadWidget(c.req.param('issueId'), c.req.param('widgetId'), body))
  })

  control.post('/apps', async (c) =>
    c.json(await apps.create(await readBody(c.req.raw, appInputSchema)), 201),
  )
  control.patch('/apps/:appId', async (c) => {
    const change = await readBody(c.req.raw, appUpdateSchema)
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
  control.delete('/exchanges', (c) => {
    exchanges.clear()
    return c.body(null, 204)
  })
  control.put('/exchanges/paused', async (c) => {
    const { paused } = await readBody(c.req.raw, pausedSchema)
    exchanges.paused = paused
    return c.json({ paused })
  })
  control.post('/exchanges/export', async (c) =>
    c.json(await exchanges.exportHar(await readBody(c.req.raw, exportSchema))),
  )
  control.post('/exchanges/import', async (c) =>
    c.json(await exchanges.importHar(await readBody(c.req.raw, harSchema, MAX_HAR_BYTES))),
  )
  control.get('/exchanges/:id', (c) => c.json(exchanges.get(c.req.param('id'))))
  control.post('/exchanges/:id/replay', async (c) => {
    const options = await readBody(c.req.raw, replaySchema)
    return c.json(await exchanges.replay(c.req.param('id'), options))
  })
  control.post('/exchanges/:id/save', async (c) => {
    const input = await readBody(c.req.raw, saveSchema)
    return c.json(await exchanges.save(c.req.param('id'), input), 201)
  })

  control.get('/console', (c) => c.json(options.console.list()))
  control.delete('/console', (c) => {
    options.console.clear()
    return c.body(null, 204)
  })

  control.put('/faults', async (c) => {
    const { rules, seed } = await readBody(c.req.raw, faultSettingsSchema)
    faults.set(rules, { seed })
    return c.json(faults.settings)
  })
  control.post('/reset', async (c) => {
    options.reset(await readBody(c.req.raw, resetSchema))
    return c.json(options.state())
  })

  control.notFound(() => {
    throw new ControlError(404, 'not_found', 'Unknown control route.')
  })
  control.onError(problemResponse)
  return control
}
