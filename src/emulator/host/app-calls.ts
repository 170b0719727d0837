import { createEndpointClient, type EndpointClient } from '../../service/endpoint-client.ts'
import type { Exchange } from '../../service/exchange.ts'
import type { FetchDataIds } from '../../service/query.ts'
import type { SendRequest } from '../../service/target.ts'
import type { FaultEngine } from '../faults/engine.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { ExchangeGroup, ExchangeSummary } from '../protocol/exchanges.ts'
import type { Sleep } from '../sleep.ts'
import type { MapStack } from '../store/map-stack.ts'
import type { AppRecord } from './app-record.ts'
import { type AssessedData, assessData } from './assess-data.ts'
import { type AssessedHandshake, assessHandshake } from './assess-handshake.ts'
import {
  type ExchangeContext,
  type ExchangeLog,
  type LoggedExchange,
  toLoggedExchange,
} from './exchange-log.ts'
import { type LiveExchange, replayLive } from './live.ts'
import type { Scenario } from './scenarios.ts'
import { sendWithFaults } from './send-with-faults.ts'

/** Options for `createAppCalls()`. */
export interface AppCallsOptions {
  readonly faults: FaultEngine
  readonly sleep: Sleep
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly timeoutMs: number
  readonly mapStack: MapStack
  readonly exchanges: ExchangeLog
  /** Returns a function that sends requests to the app, over the network or in process. */
  readonly sendTo: (appId: string) => SendRequest
}

/** The origin of a request. */
interface CallContext {
  readonly app: AppRecord
  readonly replayOf?: string
  /** A request that the real service made. It is not sent again, only assessed and logged. */
  readonly live?: LiveExchange
}

/** The purpose of a data fetch. */
export interface DataContext extends CallContext {
  readonly issueId: string | null
  readonly widgetId: string | null
  readonly scenario: Scenario | null
  readonly presetId: string | null
  readonly hasCustomIds: boolean
  readonly group: ExchangeGroup | null
}

/** A request that was assessed and logged. */
export interface LoggedCall {
  readonly logged: LoggedExchange
  readonly summary: ExchangeSummary
}

/** Sends the service's requests to apps, and logs each. Never rejects. */
export interface AppCalls {
  verify(
    context: CallContext,
    code: string,
  ): Promise<LoggedCall & { readonly handshake: AssessedHandshake }>
  fetchData(
    context: DataContext,
    ids: FetchDataIds,
  ): Promise<LoggedCall & { readonly data: AssessedData }>
}

/** Creates the calls of an emulator. */
export function createAppCalls(options: AppCallsOptions): AppCalls {
  const { newId, mapStack, exchanges, timeoutMs } = options

  function createCall({ app, live }: CallContext, kind: 'verify' | 'fetch_data', readDelayMs = 0) {
    let injected: FaultEffect | null = null
    const wire = sendWithFaults({
      ...options,
      send: options.sendTo(app.id),
      operation: kind,
      readDelayMs,
      onInjected: (effect) => {
        injected = effect
      },
    })
    const client = createEndpointClient({
      target: app.url,
      headers: app.headers,
      timeoutMs,
      now: options.now,
      dev: true,
      fetch: live === undefined ? wire : () => replayLive(live),
    })
    return { client, injected: () => injected }
  }

  function log(
    { app, live, replayOf }: CallContext,
    { redact }: EndpointClient,
    exchange: Exchange,
    context: Omit<ExchangeContext, 'id' | 'source' | 'appId' | 'appName' | 'replayOf'>,
  ): LoggedCall {
    const original =
      live === undefined ? exchange : { ...exchange, ...pickOriginal(exchange, live) }
    const logged = toLoggedExchange(
      {
        ...context,
        id: newId('exc'),
        source: live === undefined ? 'emulator' : 'live',
        appId: app.id,
        appName: app.name,
        replayOf: replayOf ?? null,
      },
      original,
      redact,
      live,
    )
    return { logged, summary: exchanges.add(logged) }
  }

  return {
    async verify(context, code) {
      const { client, injected } = createCall(context, 'verify')
      const result = await client.handshake(code)
      const handshake = assessHandshake(result, {
        redact: client.redact,
        injected: injected(),
      })
      const { reason, form: _form, ...details } = handshake
      const logged = log(context, client, result.exchange, {
        ...details,
        kind: 'verify',
        outcome: reason ?? 'connected',
        issueId: null,
        widgetId: null,
        scenario: null,
        presetId: null,
        hasCustomIds: false,
        group: null,
        failures: [],
      })
      return { ...logged, handshake }
    },
    async fetchData(context, ids) {
      const { issueId, widgetId, scenario, presetId, hasCustomIds, group } = context
      const { client, injected } = createCall(context, 'fetch_data', scenario?.readDelayMs)
      const result = await client.fetchData(ids)
      const data = assessData(result, {
        redact: client.redact,
        mapStack,
        injected: injected(),
      })
      const { outcome, message, fix, failures, findings } = data
      const logged = log(context, client, result.exchange, {
        kind: 'fetch_data',
        outcome,
        message,
        fix,
        failures,
        findings,
        explanation: null,
        injected: data.injected,
        issueId,
        widgetId,
        scenario: scenario?.id ?? null,
        presetId,
        hasCustomIds,
        group,
      })
      return { ...logged, data }
    },
  }
}

/** The times and the URL of the real request, with the parameters that the contract does not have. */
function pickOriginal({ request }: Exchange, { url, startedAt, durationMs }: LiveExchange) {
  return { startedAt, durationMs, request: { ...request, url } }
}
