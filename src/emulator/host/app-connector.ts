import type { Connection, ConnectionEvent } from '../../service/connection.ts'
import { canFetchData, NEW_CONNECTION, reduceConnection } from '../../service/connection.ts'
import type { FetchDataIds } from '../../service/query.ts'
import type { EmulatorContext } from '../context.ts'
import type { AppView, HandshakeView } from '../protocol/workspace.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import type { ExchangeGroup } from '../protocol/exchanges.ts'
import type { AppCalls, LoggedData } from './app-calls.ts'
import type { AppRecord } from './app-record.ts'
import { createRenderHistory } from './render-history.ts'
import type { Scenario } from './scenarios.ts'

/** A data fetch for one widget of an issue. */
export interface WidgetLoad {
  readonly app: AppRecord
  readonly widgetId: string
  readonly issueId: string
  readonly ids: FetchDataIds
  readonly scenario: Scenario
  readonly presetId: string | null
  readonly hasCustomIds: boolean
  readonly group: ExchangeGroup
}

/** The connections of custom apps. */
export type AppConnector = ReturnType<typeof createAppConnector>

/** Creates the connections of custom apps: performs handshakes and loads widgets. */
export function createAppConnector(context: EmulatorContext, calls: AppCalls) {
  const { store, log, changed } = context
  const connections = new Map<string, Connection>()
  const handshakes = new Map<string, HandshakeView>()
  const history = createRenderHistory()

  const findConnection = (app: AppRecord): Connection =>
    connections.get(app.id) ?? { ...NEW_CONNECTION, state: app.state }

  function transition(app: AppRecord, event: ConnectionEvent): Connection {
    const next = reduceConnection(findConnection(app), event)
    connections.set(app.id, next)
    const stored = store.get('app', app.id)
    if (stored !== undefined && stored.state !== next.state) {
      store.put('app', app.id, { ...stored, state: next.state })
    }
    changed()
    return next
  }

  /** Of parallel loads, the worst result is shown: a failure if there is one, or the slowest. */
  async function fetchWorst({ app, ids, scenario, ...load }: WidgetLoad) {
    const { loads = 1, readDelayMs } = scenario
    const group: ExchangeGroup =
      loads > 1 && load.group.kind !== 'states'
        ? { id: context.newId('grp'), kind: 'parallel' }
        : load.group
    const purpose = { ...load, scenario: scenario.id, group }
    const fetches = Array.from({ length: loads }, () =>
      calls.fetchData({ app, readDelayMs, purpose }, ids),
    )
    const responses = await Promise.all(fetches)
    return responses.reduce((worst, next) => (severity(next) > severity(worst) ? next : worst))
  }

  return {
    view(app: AppRecord): AppView {
      const { state, handshaking } = findConnection(app)
      const { id, name, url, headers, widgets } = app
      const headerNames = Object.keys(headers)
      const lastHandshake = handshakes.get(id) ?? null
      return { id, name, url, headerNames, widgets, state, handshaking, lastHandshake }
    },
    isConnected: (app: AppRecord) => canFetchData(findConnection(app)),
    /** Performs the handshake, even if the app is already connected. */
    async connect(app: AppRecord): Promise<void> {
      const { attempt } = transition(app, { type: 'handshake_started' })
      const { logged, result } = await calls.verify({ app }, context.codes())
      if (findConnection(app).attempt !== attempt) return
      const { id: exchangeId, at, durationMs, message, fix, explanation, injected } = logged
      handshakes.set(app.id, {
        at,
        exchangeId,
        durationMs,
        result:
          result.ok || explanation === null
            ? { ok: true, form: result.ok ? result.form : 'json' }
            : { ok: false, reason: result.reason, message, fix, explanation, injected },
      })
      transition(app, { type: result.ok ? 'handshake_succeeded' : 'handshake_failed', attempt })
    },
    disconnect(app: AppRecord): void {
      handshakes.delete(app.id)
      transition(app, { type: 'disconnected' })
    },
    /** Fetches the data of a widget from a connected app. Never rejects. */
    async load(load: WidgetLoad): Promise<WidgetView> {
      const { app, widgetId, issueId, presetId } = load
      const place = { appId: app.id, widgetId, issueId, scenario: load.scenario.id, presetId }
      const connection = findConnection(app)
      if (!canFetchData(connection)) {
        return { ...place, ...notConnected(connection, context.now()) }
      }
      const { data, summary, logged } = await fetchWorst(load)
      const rendered = data.outcome === 'rendered' ? data.payload : null
      const key = { ...place, parameters: logged.request.parameters }
      const exchangeId = summary.id
      if (rendered !== null) history.add(key, { payload: rendered, at: summary.at, exchangeId })
      return {
        ...key,
        ...data,
        exchangeId: log.paused ? null : exchangeId,
        exchange: summary,
        at: summary.at,
        durationMs: summary.durationMs,
        lastGood: rendered === null ? history.lastRender(key) : null,
      }
    },
    /** Resets the connections of all apps to their stored states. */
    forgetConnections(): void {
      connections.clear()
      handshakes.clear()
      history.forget()
    },
    forget(appId: string): void {
      connections.delete(appId)
      handshakes.delete(appId)
      history.forget(appId)
    },
  }
}

/**
 * Error states are worse than failures, and failures are worse than designed
 * cards. Among equals, the slowest is the worst.
 */
function severity({ data, summary }: LoggedData): number {
  const rank = ['rendered', 'not_available', 'ambiguous', 'not_found', 'failed'].indexOf(
    data.outcome,
  )
  return (rank === -1 ? 5 : rank) * 1e9 + summary.durationMs
}

function notConnected({ state, handshaking }: Connection, now: number) {
  return {
    parameters: [],
    outcome: 'not_connected' as const,
    payload: null,
    value: null,
    message: handshaking
      ? 'The handshake is pending.'
      : `The app is ${state}: no data fetch was sent.`,
    fix: handshaking ? 'Wait until it completes.' : "Choose Retry Connection in the app's menu.",
    failures: [],
    findings: [],
    injected: null,
    exchangeId: null,
    exchange: null,
    at: new Date(now).toISOString(),
    durationMs: 0,
    lastGood: null,
  }
}
