import type { Exchange } from '../../service/exchange.ts'
import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { CACHE_HEADER } from '../../internal/headers.ts'
import type { Finding } from '../../service/rules/rule.ts'
import {
  type ConsoleEntry,
  type ExchangeSummary,
  type ExchangeView,
  MAX_EXCHANGES,
} from '../protocol/exchanges.ts'
import type { LiveExchange } from './live.ts'
import { readTraceId } from './trace-id.ts'
import { formatCurl, formatFetchCode } from './request-code.ts'
import { parseServerTiming } from './server-timing.ts'

/** A logged request to an app. It contains no header values of the app. */
export type LoggedExchange = Omit<
  ExchangeView,
  | 'console'
  | 'curl'
  | 'fetchCode'
  | 'parameters'
  | 'status'
  | 'bytes'
  | 'cache'
  | 'traceId'
  | 'timing'
>

/** The context of a request, in addition to the exchange itself. */
export type ExchangeContext = Omit<LoggedExchange, 'at' | 'durationMs' | 'request' | 'response'>

/** The most recent requests, for the inspector. */
export interface ExchangeLog {
  /** While the log is paused, requests are not stored. */
  paused: boolean
  add(logged: LoggedExchange): ExchangeSummary
  get(id: string): LoggedExchange | undefined
  /** Newest first. */
  list(): readonly LoggedExchange[]
  clear(): void
}

const MAX_BODY_CHARACTERS = 262_144

/** The maximum size of all bodies together. The oldest requests are dropped first. */
const MAX_CHARACTERS = 33_554_432

/** Creates an empty log of at most 1,000 requests. */
export function createExchangeLog(onAdd: (summary: ExchangeSummary) => void): ExchangeLog {
  let entries: LoggedExchange[] = []
  let characters = 0
  const bodySize = ({ response }: LoggedExchange) => response?.body.length ?? 0
  const log: ExchangeLog = {
    paused: false,
    add(logged) {
      const summary = toExchangeSummary(logged)
      if (log.paused) return summary
      entries.push(logged)
      characters += bodySize(logged)
      while (entries.length > MAX_EXCHANGES || characters > MAX_CHARACTERS) {
        const dropped = entries.shift()
        if (dropped !== undefined) characters -= bodySize(dropped)
      }
      onAdd(summary)
      return summary
    },
    get: (id) => entries.find((logged) => logged.id === id),
    list: () => entries.toReversed(),
    clear() {
      entries = []
      characters = 0
    },
  }
  return log
}

/** Converts an exchange to a log entry. Header values are redacted before bodies are truncated. */
export function toLoggedExchange(
  context: ExchangeContext,
  { request, response, startedAt, durationMs }: Exchange,
  redact: Redact,
  live: Pick<LiveExchange, 'method' | 'receivedHeaderNames' | 'abortedAfterMs'> = {},
): LoggedExchange {
  const { method = 'GET', receivedHeaderNames, abortedAfterMs } = live
  const body = response === undefined ? '' : redact(new TextDecoder().decode(response.body))
  return {
    ...context,
    at: new Date(startedAt).toISOString(),
    durationMs: Math.round(durationMs),
    request: {
      method,
      url: request.url,
      parameters: [...new URL(request.url).searchParams],
      headerNames: request.headerNames,
      ...(receivedHeaderNames !== undefined && { receivedHeaderNames }),
      ...(abortedAfterMs !== undefined && { abortedAfterMs: Math.round(abortedAfterMs) }),
    },
    response:
      response === undefined
        ? null
        : {
            status: response.status,
            statusText: redact(response.statusText),
            headers: redactValue(response.headers, redact),
            body: body.slice(0, MAX_BODY_CHARACTERS).toWellFormed(),
            bodyBytes: response.body.length,
            truncated: response.truncated || body.length > MAX_BODY_CHARACTERS,
          },
  }
}

/** Returns the summary of a request for the list. */
export function toExchangeSummary(logged: LoggedExchange): ExchangeSummary {
  const { request, response, message: _message, fix: _fix, findings, ...rest } = logged
  const { explanation: _explanation, ...summary } = rest
  return {
    ...summary,
    ...readResponse(response),
    parameters: request.parameters,
    findings: countLevels(findings),
  }
}

/** Returns all details of a request. */
export function toExchangeView(
  logged: LoggedExchange,
  console: readonly ConsoleEntry[],
): ExchangeView {
  const { url, headerNames } = logged.request
  const details = readResponse(logged.response)
  const { traceId } = details
  return {
    ...logged,
    ...details,
    parameters: logged.request.parameters,
    console: traceId === null ? [] : console.filter((entry) => entry.traceId === traceId),
    curl: formatCurl(url, headerNames),
    fetchCode: formatFetchCode(url, headerNames),
  }
}

const CACHE_RESULTS = ['hit', 'stale', 'miss'] as const

function readResponse(response: ExchangeView['response']) {
  const headers = response?.headers ?? {}
  return {
    status: response?.status ?? null,
    bytes: response?.bodyBytes ?? null,
    cache: CACHE_RESULTS.find((result) => result === headers[CACHE_HEADER]) ?? null,
    traceId: readTraceId(headers),
    timing: parseServerTiming(headers['server-timing']),
  }
}

function countLevels(findings: readonly Finding[]): ExchangeSummary['findings'] {
  const counts = { MUST: 0, SHOULD: 0, ASSUMED: 0 }
  for (const { level } of findings) counts[level] += 1
  return counts
}
