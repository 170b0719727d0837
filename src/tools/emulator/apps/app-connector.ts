import type { Connection, ConnectionEvent } from '../../service/endpoint/connection.ts'
import {
  canFetchData,
  NEW_CONNECTION,
  reduceConnection,
} from '../../service/endpoint/connection.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { AppView, HandshakeView } from '../protocol/workspace.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import type { ExchangeGroup } from '../protocol/exchanges.ts'
import type { AppCalls, Purpose } from './app-calls.ts'
import type { AppRecord } from '../store/documents.ts'
import { createRenderHistory } from './render-history.ts'

/** A data fetch for one widget of an issue. */
interface WidgetLoad {
  readonly app: AppRecord
  readonly ids: FetchDataIds
  readonly purpose: Pick<Purpose, 'customer' | 'state' | 'sections' | 'isCustom'> & {
    readonly widgetId: string
    readonly issueId: string
    readonly group: ExchangeGroup
  }
}

/** The connections of custom apps. */
export type AppConnector = ReturnType<typeof createAppConnector>

/** Creates the connections of custom apps: performs handshakes and loads widgets. */
export function createAppConnector(context: EmulatorContext, calls: AppCalls) {
  const { store, changed } = context
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

  return {
    view(app: AppRecord): AppView {
      const { state, handshaking } = findConnection(app)
      const { headers, ...shown } = app
      const lastHandshake = handshakes.get(app.id) ?? null
      return { ...shown, headerNames: Object.keys(headers), state, handshaking, lastHandshake }
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
        result: result.ok
          ? { ok: true, form: result.form }
          : { ok: false, reason: result.reason, message, fix, explanation: explanation!, injected },
      })
      transition(app, { type: result.ok ? 'handshake_succeeded' : 'handshake_failed', attempt })
    },
    disconnect(app: AppRecord): void {
      handshakes.delete(app.id)
      transition(app, { type: 'disconnected' })
    },
    /** Fetches the data of a widget from a connected app. Never rejects. */
    async load(load: WidgetLoad): Promise<WidgetView> {
      const { app, ids, purpose } = load
      const { widgetId, issueId, customer, state, sections } = purpose
      const place = { appId: app.id, widgetId, issueId, customer, state }
      const connection = findConnection(app)
      if (!canFetchData(connection)) {
        return { ...place, ...notConnected(connection, context.now()) }
      }
      const { data, summary } = await calls.fetchData({ app, purpose }, ids)
      const { id: exchangeId, at, durationMs, parameters, unapplied } = summary
      const rendered = data.outcome === 'rendered' ? data.payload : null
      const key = { ...place, parameters, sections }
      if (rendered !== null) history.add(key, { payload: rendered, at, exchangeId })
      return {
        ...place,
        parameters,
        unapplied,
        ...data,
        exchangeId,
        exchange: summary,
        at,
        durationMs,
        lastGood: rendered === null ? history.lastRender(key) : null,
      }
    },
    /** Resets the connections of all apps to their stored states. */
    forgetConnections(): void {
      connections.clear()
      handshakes.clear()
      history.clear()
    },
    forget(appId: string): void {
      connections.delete(appId)
      handshakes.delete(appId)
    },
  }
}

function notConnected({ state, handshaking }: Connection, now: number) {
  return {
    parameters: [],
    unapplied: null,
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
