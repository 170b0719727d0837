import { type Caller, createCaller, type HandshakeResult } from '../../desk/caller.ts'
import type { CodeSource } from '../../desk/codes.ts'
import type { ConnectionEvent, Connection } from '../../desk/connection.ts'
import { mayFetchData, NEW_CONNECTION, nextConnection } from '../../desk/connection.ts'
import type { FetchDataIds } from '../../desk/query.ts'
import { type FetchTarget, resolveTarget, type Send } from '../../desk/target.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { Pause } from '../pause.ts'
import type { AppView, HandshakeView, WidgetView } from '../protocol.ts'
import { KINDS } from '../seed/documents.ts'
import type { Store } from '../store/store.ts'
import type { AppRecord } from './app-record.ts'
import type { ExchangeLog, RecordedExchange } from './exchange-log.ts'
import { lastGoodRenders } from './last-good.ts'
import type { Scenario } from './scenarios.ts'
import { faultyWire } from './send.ts'

/** What the host works with. */
export interface HostOptions {
  readonly store: Store
  readonly faults: FaultEngine
  readonly pause: Pause
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly newCode: CodeSource
  readonly timeoutMs: number
  readonly send: Send
  readonly exchanges: ExchangeLog
  readonly changed: () => void
}

/** A data fetch for one widget of an issue. */
export interface WidgetLoad {
  readonly app: AppRecord
  readonly widgetId: string
  readonly issueId: string
  readonly ids: FetchDataIds
  readonly scenario: Scenario
}

/** The service's side of custom apps: it shakes hands, asks for data and remembers what came. */
export interface Host {
  view(app: AppRecord): AppView
  /** Does the handshake, the first time or again. */
  connect(app: AppRecord): Promise<void>
  disconnect(app: AppRecord): void
  /** Asks a connected app for a widget's data. Never rejects. */
  load(load: WidgetLoad): Promise<WidgetView>
  /** Sends an exchange of the log again, with the headers that the app has now. */
  replay(recorded: RecordedExchange, app: AppRecord): Promise<RecordedExchange>
  /** Answers for the app in process, instead of the network. */
  attach(appId: string, target: FetchTarget): void
  /** What answers for the app in process; `undefined` for one on the network. */
  targetOf(appId: string): FetchTarget | undefined
  forget(appId: string): void
  /** Leaves every app in the state that is stored. */
  forgetConnections(): void
}

/** Makes a host. */
export function createHost(options: HostOptions): Host {
  const connections = new Map<string, Connection>()
  const handshakes = new Map<string, HandshakeView>()
  const targets = new Map<string, FetchTarget>()
  const lastGood = lastGoodRenders()

  const connectionOf = (app: AppRecord): Connection =>
    connections.get(app.id) ?? { ...NEW_CONNECTION, state: app.state }

  function move(app: AppRecord, event: ConnectionEvent): Connection {
    const next = nextConnection(connectionOf(app), event)
    connections.set(app.id, next)
    const stored = options.store.get(KINDS.app, app.id) as AppRecord | undefined
    if (stored !== undefined && stored.state !== next.state) {
      options.store.put({
        kind: KINDS.app,
        parent: '',
        id: app.id,
        body: { ...stored, state: next.state },
      })
    }
    options.changed()
    return next
  }

  function callerOf(
    app: AppRecord,
    operation: 'verify' | 'fetch_data',
    readDelayMs: number,
  ): Caller {
    const target = targets.get(app.id)
    const send = target === undefined ? options.send : resolveTarget(target).send
    const wire = faultyWire({ ...options, send, operation, readDelayMs })
    const { timeoutMs, now } = options
    return createCaller({ target: app.url, headers: app.headers, fetch: wire, timeoutMs, now })
  }

  const record = (recorded: RecordedExchange) => {
    options.exchanges.add(recorded)
    return recorded
  }

  async function verify(app: AppRecord, code: string, replayOf: string | null) {
    const caller = callerOf(app, 'verify', 0)
    const result = await caller.verify(code)
    const recorded = record({
      ...aboutApp(app, options.newId('exc'), caller, replayOf),
      kind: 'verify',
      issueId: null,
      scenario: null,
      outcome: result.ok ? 'connected' : result.reason,
      message: result.ok ? '' : result.message,
      remedy: result.ok ? '' : result.remedy,
      findings: result.ok ? [] : result.findings,
      exchange: result.exchange,
    })
    return { result, recorded }
  }

  async function fetchData(
    { app, issueId, ids, scenario }: Omit<WidgetLoad, 'widgetId'>,
    replayOf: string | null,
  ) {
    const caller = callerOf(app, 'fetch_data', scenario.readDelayMs ?? 0)
    const result = await caller.fetchData(ids)
    const recorded = record({
      ...aboutApp(app, options.newId('exc'), caller, replayOf),
      kind: 'fetch_data',
      issueId,
      scenario: scenario.id,
      outcome: result.outcome,
      message: result.outcome === 'rendered' ? '' : result.message,
      remedy: result.outcome === 'rendered' ? '' : result.remedy,
      findings: result.findings,
      exchange: result.exchange,
    })
    return { result, recorded }
  }

  return {
    view(app) {
      const { state, handshaking } = connectionOf(app)
      const { id, name, url, headers, widgets } = app
      const lastHandshake = handshakes.get(id) ?? null
      return {
        id,
        name,
        url,
        headerNames: Object.keys(headers),
        widgets,
        state,
        handshaking,
        lastHandshake,
      }
    },
    async connect(app) {
      const { attempt } = move(app, { type: 'handshake_started' })
      const { result, recorded } = await verify(app, options.newCode(), null)
      const type = result.ok ? 'handshake_succeeded' : 'handshake_failed'
      if (connectionOf(app).attempt !== attempt) return
      handshakes.set(app.id, handshakeView(result, recorded.id))
      move(app, { type, attempt })
    },
    disconnect(app) {
      handshakes.delete(app.id)
      move(app, { type: 'disconnected' })
    },
    async load(load) {
      const { app, widgetId, issueId, scenario } = load
      const about = { appId: app.id, widgetId, issueId, scenario: scenario.id }
      if (!mayFetchData(connectionOf(app))) {
        return { ...about, ...notConnected(connectionOf(app), options.now()) }
      }
      const loads = Array.from({ length: scenario.loads ?? 1 }, () => fetchData(load, null))
      const answers = await Promise.all(loads)
      const shown = answers.reduce((worst, each) =>
        weight(each.result) > weight(worst.result) ? each : worst,
      )
      const { result, recorded } = shown
      const at = new Date(result.exchange.startedAt).toISOString()
      const rendered = result.outcome === 'rendered'
      if (rendered) lastGood.keep(about, { payload: result.payload, at })
      return {
        ...about,
        outcome: result.outcome,
        payload: rendered ? result.payload : null,
        value: rendered ? null : (result.value ?? null),
        message: rendered ? '' : result.message,
        remedy: rendered ? '' : result.remedy,
        findings: result.findings,
        exchangeId: recorded.id,
        at,
        durationMs: Math.round(result.exchange.durationMs),
        lastGood: rendered ? null : lastGood.of(about),
      }
    },
    async replay(recorded, app) {
      const sent = new URL(recorded.exchange.request.url).searchParams
      if (recorded.kind === 'verify') {
        return (await verify(app, sent.get('code') ?? '', recorded.id)).recorded
      }
      const { request_type: _, ...ids } = Object.fromEntries(sent)
      const issueId = recorded.issueId ?? ''
      const scenario = { ...AS_RECORDED, id: recorded.scenario ?? 'as-is' }
      return (await fetchData({ app, issueId, ids, scenario }, recorded.id)).recorded
    },
    attach: (appId, target) => void targets.set(appId, target),
    targetOf: (appId) => targets.get(appId),
    forgetConnections() {
      connections.clear()
      handshakes.clear()
    },
    forget(appId) {
      connections.delete(appId)
      handshakes.delete(appId)
      targets.delete(appId)
      lastGood.forget(appId)
    },
  }
}

/** A replay sends the ids that were sent, whatever scenario made them. */
const AS_RECORDED: Scenario = {
  id: 'as-is',
  name: '',
  description: '',
  ids: (ids) => ids,
}

function aboutApp(app: AppRecord, id: string, { redact }: Caller, replayOf: string | null) {
  return { id, appId: app.id, appName: app.name, redact, replayOf }
}

function handshakeView(result: HandshakeResult, exchangeId: string): HandshakeView {
  const { startedAt, durationMs } = result.exchange
  return {
    at: new Date(startedAt).toISOString(),
    exchangeId,
    durationMs: Math.round(durationMs),
    result: result.ok
      ? { ok: true, form: result.form }
      : { ok: false, reason: result.reason, message: result.message, remedy: result.remedy },
  }
}

/** Of parallel answers the worst is shown: one that failed, or else the slowest. */
function weight(result: {
  readonly outcome: string
  readonly exchange: { readonly durationMs: number }
}) {
  return (result.outcome === 'rendered' ? 0 : 1e9) + result.exchange.durationMs
}

function notConnected({ state, handshaking }: Connection, now: number) {
  const message = handshaking
    ? 'The handshake is still on its way.'
    : `The app is ${state}: the service asks it nothing.`
  return {
    outcome: 'not_connected' as const,
    payload: null,
    value: null,
    message,
    remedy: handshaking ? 'Wait for it.' : 'Choose Retry Connection in the menu of the app.',
    findings: [],
    exchangeId: null,
    at: new Date(now).toISOString(),
    durationMs: 0,
    lastGood: null,
  }
}
