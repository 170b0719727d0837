import type { Exchange } from '../../service/endpoint/exchange.ts'
import type { Redact } from '../../../runtime/internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { TRACE_HEADER } from '../../../runtime/internal/headers.ts'
import type { EventHub } from './events.ts'
import {
  type ConsoleEntry,
  type ExchangeSummary,
  type ExchangeView,
  MAX_EXCHANGES,
} from '../protocol/exchanges.ts'
import type { LiveExchange } from './live.ts'
import { formatCurl } from '../../service/endpoint/curl.ts'
import { parseServerTiming } from './server-timing.ts'

/** A logged request to an app. It contains no header values of the app. */
export type LoggedExchange = Omit<ExchangeView, 'console' | 'curl'>

/** The facts about a request that its exchange does not contain. */
export type ExchangeContext = Omit<
  LoggedExchange,
  'at' | 'durationMs' | 'request' | 'response' | 'parameters' | keyof ReturnType<typeof readFacts>
>

const MAX_BODY_CHARACTERS = 262_144

/** The maximum size of all bodies together. The oldest requests are dropped first. */
const MAX_CHARACTERS = 33_554_432

/** Creates an empty log of at most 1,000 requests. */
export function createExchangeLog(events: EventHub) {
  let entries: LoggedExchange[] = []
  let characters = 0
  const bodySize = ({ response }: LoggedExchange) => response?.body.length ?? 0
  return {
    add(logged: LoggedExchange): ExchangeSummary {
      const summary = toExchangeSummary(logged)
      entries.push(logged)
      characters += bodySize(logged)
      while (entries.length > MAX_EXCHANGES || characters > MAX_CHARACTERS) {
        const dropped = entries.shift()
        if (dropped !== undefined) characters -= bodySize(dropped)
      }
      events.emit({ type: 'exchange', exchange: summary })
      return summary
    },
    get: (id: string) => entries.find((logged) => logged.id === id),
    /** Newest first. */
    list: (): readonly LoggedExchange[] => entries.toReversed(),
    clear(): void {
      entries = []
      characters = 0
      events.emit({ type: 'exchanges_cleared' })
    },
  }
}

/** Converts an exchange to a log entry. Header values are redacted before bodies are truncated. */
export function toLoggedExchange(
  context: ExchangeContext,
  exchange: Exchange,
  redact: Redact,
  live?: LiveExchange,
): LoggedExchange {
  const { startedAt, durationMs } = live ?? exchange
  const { url } = live ?? exchange.request
  const { method = 'GET', receivedHeaderNames, abortedAfterMs } = live ?? {}
  const response = toResponse(exchange.response, redact)
  const parameters = [...new URL(url).searchParams]
  return {
    ...context,
    ...readFacts(response),
    at: new Date(startedAt).toISOString(),
    durationMs: Math.round(durationMs),
    parameters,
    request: {
      method,
      url,
      parameters,
      headerNames: exchange.request.headerNames,
      ...(receivedHeaderNames !== undefined && { receivedHeaderNames }),
      ...(abortedAfterMs !== undefined && { abortedAfterMs: Math.round(abortedAfterMs) }),
    },
    response,
  }
}

function toResponse(response: Exchange['response'], redact: Redact): LoggedExchange['response'] {
  if (response === undefined) return null
  const { status, statusText, headers, body, truncated } = response
  const text = redact(new TextDecoder().decode(body))
  return {
    status,
    statusText: redact(statusText),
    headers: redactValue(headers, redact),
    body: text.slice(0, MAX_BODY_CHARACTERS).toWellFormed(),
    bodyBytes: body.length,
    truncated: truncated || text.length > MAX_BODY_CHARACTERS,
  }
}

/** Returns the summary of a request for the list. */
export function toExchangeSummary(logged: LoggedExchange): ExchangeSummary {
  const { request: _request, response: _response, message: _message, fix: _fix, ...rest } = logged
  const { explanation: _explanation, findings, ...summary } = rest
  const counts = { MUST: 0, SHOULD: 0, ASSUMED: 0 }
  for (const { level } of findings) counts[level] += 1
  return { ...summary, findings: counts }
}

/** Returns all details of a request. */
export function toExchangeView(
  logged: LoggedExchange,
  console: readonly ConsoleEntry[],
): ExchangeView {
  const { request, traceId } = logged
  return {
    ...logged,
    console: traceId === null ? [] : console.filter((entry) => entry.traceId === traceId),
    curl: formatCurl(request.url, request.headerNames),
  }
}

function readFacts(response: LoggedExchange['response']) {
  const headers = response?.headers ?? {}
  return {
    status: response?.status ?? null,
    bytes: response?.bodyBytes ?? null,
    traceId: /^[\w-]{1,64}$/.exec(headers[TRACE_HEADER] ?? '')?.[0] ?? null,
    timing: parseServerTiming(headers['server-timing']),
  }
}
