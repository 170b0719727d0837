import { createEndpointClient } from '../../service/endpoint-client.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import { findUnappliedCondition } from '../../service/testing/section-conditions.ts'
import { resolveTarget } from '../../service/endpoint/target.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { ExchangeSummary } from '../protocol/exchanges.ts'
import { readIds } from './read-logged.ts'
import type { AppRecord } from '../store/documents.ts'
import { type AssessedData, assessData, assessHandshake } from './assess.ts'
import {
  type ExchangeContext,
  type LoggedExchange,
  toLoggedExchange,
} from '../core/exchange-log.ts'
import { type LiveExchange, replayLive } from '../core/live.ts'
import { sendWithFaults } from './send-with-faults.ts'

/** The receiver of a request. */
type Receiver = Pick<AppRecord, 'id' | 'name' | 'url' | 'headers'>

/** The purpose of a request of the emulator itself, which is for no particular customer. */
export const NO_PURPOSE = {
  source: 'emulator',
  issueId: null,
  widgetId: null,
  customer: null,
  state: null,
  sections: null,
  isCustom: false,
  group: null,
  replayOf: null,
  action: null,
} as const

/** The origin and purpose of a request. */
export type Purpose = Pick<ExchangeSummary, keyof typeof NO_PURPOSE>

/** A request to an app. */
export interface AppCall {
  readonly app: Receiver
  readonly purpose?: Partial<Purpose>
  /** An earlier request. It is not sent again, only assessed and logged. */
  readonly live?: LiveExchange
}

/** A request that was assessed and logged. */
export interface LoggedCall {
  readonly logged: LoggedExchange
  readonly summary: ExchangeSummary
}

/** A data fetch that was assessed and logged. */
export type LoggedData = LoggedCall & { readonly data: AssessedData }

/** The calls of an emulator. */
export type AppCalls = ReturnType<typeof createAppCalls>

/** Creates the calls of an emulator: they send the service's requests to apps, log each, and never reject. */
export function createAppCalls(context: EmulatorContext) {
  const { newId, mapStack, log, targets, timeoutMs, now } = context

  function connect({ app, live }: AppCall, kind: 'verify' | 'fetch_data') {
    const { send } = resolveTarget(targets.get(app.id) ?? app.url, context)
    const wire = sendWithFaults(context, send, kind)
    const { url: target, headers } = app
    const fetch = live === undefined ? wire.send : () => replayLive(live)
    const client = createEndpointClient({ target, headers, timeoutMs, now, dev: true, fetch })
    return { client, wire, redact: client.redact }
  }

  function add(
    { app, purpose, live }: AppCall,
    exchange: Exchange,
    redact: (text: string) => string,
    assessed: Omit<ExchangeContext, keyof Purpose | 'id' | 'appId' | 'appName'>,
  ): LoggedCall {
    const origin = { ...NO_PURPOSE, ...purpose, appId: app.id, appName: app.name }
    const details = { ...assessed, ...origin, id: newId('exc') }
    const logged = toLoggedExchange(details, exchange, redact, live)
    return { logged, summary: log.add(logged) }
  }

  async function verify(call: AppCall, code: string) {
    const { client, wire, redact } = connect(call, 'verify')
    const result = await client.handshake(code)
    const assessed = assessHandshake(result, redact, wire.injected())
    const details = { ...assessed, unapplied: null, kind: 'verify' } as const
    return { ...add(call, result.exchange, redact, details), result }
  }

  async function fetchData(call: AppCall, ids: FetchDataIds): Promise<LoggedData> {
    const { client, wire, redact } = connect(call, 'fetch_data')
    const sections = call.purpose?.sections ?? undefined
    const result = await client.fetchData(ids, sections)
    const unapplied = (sections && findUnappliedCondition(sections, result.exchange)) ?? null
    const data = assessData(result, redact, mapStack, wire.injected())
    const { payload: _payload, value: _value, ...assessed } = data
    const details = { ...assessed, unapplied, explanation: null, kind: 'fetch_data' } as const
    return { ...add(call, result.exchange, redact, details), data }
  }

  return {
    verify,
    fetchData,
    /**
     * Assesses and logs an earlier request. Returns null for a request that the
     * service does not send.
     */
    async record(
      app: Receiver,
      live: LiveExchange,
      source: Purpose['source'],
    ): Promise<LoggedCall | null> {
      const { searchParams } = new URL(live.url)
      const type = searchParams.get('request_type')
      if (type === 'verify') {
        return verify({ app, live, purpose: { source } }, searchParams.get('code') ?? '')
      }
      if (type !== 'fetch_data') return null
      const ids = readIds([...searchParams])
      const { issue_id: issueId = null, widget_id: widgetId = null } = ids
      return fetchData({ app, live, purpose: { source, issueId, widgetId } }, ids)
    },
  }
}
