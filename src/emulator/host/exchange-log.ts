import type { Exchange } from '../../desk/exchange.ts'
import type { Finding } from '../../desk/rules/rule.ts'
import type { Redact } from '../../internal/redact.ts'
import type { ExchangeSummary, ExchangeView } from '../protocol.ts'
import { curlCommand } from './curl.ts'

/** An exchange with an app, and what it was about. */
export interface RecordedExchange {
  readonly id: string
  readonly kind: 'verify' | 'fetch_data'
  readonly appId: string
  readonly appName: string
  readonly issueId: string | null
  readonly scenario: ExchangeSummary['scenario']
  readonly outcome: ExchangeSummary['outcome']
  readonly message: string
  readonly remedy: string
  readonly findings: readonly Finding[]
  readonly replayOf: string | null
  readonly exchange: Exchange
  /** Hides the values of the app's headers, should an answer echo them. */
  readonly redact: Redact
}

/** The last exchanges, for the inspector. */
export interface ExchangeLog {
  add(recorded: RecordedExchange): void
  get(id: string): RecordedExchange | undefined
  /** Newest first. */
  list(): readonly ExchangeSummary[]
  clear(): void
}

const KEPT = 100
const MAX_SHOWN_BYTES = 262_144

/** Makes an empty log. */
export function createExchangeLog(onAdd: (summary: ExchangeSummary) => void): ExchangeLog {
  let recorded: RecordedExchange[] = []
  return {
    add(exchange) {
      recorded = [exchange, ...recorded.slice(0, KEPT - 1)]
      onAdd(summaryOf(exchange))
    },
    get: (id) => recorded.find((exchange) => exchange.id === id),
    list: () => recorded.map(summaryOf),
    clear() {
      recorded = []
    },
  }
}

/** An exchange as a line of the list. */
export function summaryOf(recorded: RecordedExchange): ExchangeSummary {
  const { exchange, findings, redact: _redact, message: _message, remedy: _, ...about } = recorded
  return { ...about, ...timesOf(exchange), findings: countLevels(findings) }
}

/** An exchange in full. */
export function viewOf(recorded: RecordedExchange): ExchangeView {
  const { exchange, redact, ...about } = recorded
  const { response, request } = exchange
  const url = new URL(request.url)
  return {
    ...about,
    ...timesOf(exchange),
    request: {
      method: 'GET',
      url: request.url,
      parameters: [...url.searchParams],
      headerNames: request.headerNames,
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            statusText: response.statusText,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, redact(value)]),
            ),
            body: redact(new TextDecoder().decode(response.body.subarray(0, MAX_SHOWN_BYTES))),
            bodyBytes: response.body.length,
            truncated: response.truncated || response.body.length > MAX_SHOWN_BYTES,
          },
    curl: curlCommand(request.url, request.headerNames),
  }
}

function timesOf({ startedAt, durationMs, response }: Exchange) {
  return {
    at: new Date(startedAt).toISOString(),
    status: response?.status ?? null,
    durationMs: Math.round(durationMs),
  }
}

function countLevels(findings: readonly Finding[]): ExchangeSummary['findings'] {
  const counts = { MUST: 0, SHOULD: 0, ASSUMED: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}
