import { normalizeActionLinks } from '../../internal/action-link.ts'
import { ABSENT_TEXTS, withQuery } from '../../service/query.ts'
import {
  CACHE_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
} from '../../internal/headers.ts'
import { VERSION } from '../listener/package-files.ts'
import { anonymizeExchange } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'
import { createFacts, type HarFacts } from './har-facts.ts'
import type { LiveExchange } from './live.ts'

/** Response headers without customer data. */
const NEUTRAL_HEADERS = new Set([
  'content-type',
  'cache-control',
  CACHE_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
])

/**
 * Exports requests as a HAR 1.2 document, oldest first. It never contains header
 * values of the app.
 */
export async function exportHar(
  exchanges: readonly LoggedExchange[],
  others: readonly LiveExchange[],
  { anonymize }: { readonly anonymize: boolean },
): Promise<object> {
  const titles = new Set<string>()
  const facts = createFacts(exchanges)
  const entries = others.map((request) => toOtherEntry(request, facts, anonymize))
  for (const [index, logged] of exchanges.entries()) {
    const { kept, entry } = toEntry(logged, facts, anonymize)
    entries.push(entry)
    kept.forEach((title) => titles.add(title))
    // Other requests are served during the pause.
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (index % BATCH_SIZE === 0) await new Promise((resolve) => setTimeout(resolve))
  }
  const shown = [...titles].map((title) => JSON.stringify(title)).join(', ')
  return {
    log: {
      version: '1.2',
      creator: { name: 'sidecard', version: VERSION },
      entries: entries.toSorted((left, right) =>
        left.startedDateTime.localeCompare(right.startedDateTime),
      ),
      ...(shown !== '' && { comment: `Titles that were kept: ${shown}` }),
    },
  }
}

/** The number of exchanges that are converted without a pause. */
const BATCH_SIZE = 20

/** Creates an entry from a request, its response, and facts that HAR has no field for. */
function createEntry(
  { at, durationMs }: Pick<LoggedExchange, 'at' | 'durationMs'>,
  { method, url, headerNames, abortedAfterMs }: Omit<LoggedExchange['request'], 'parameters'>,
  response: object,
  own: object,
) {
  const shared = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  const headers = headerNames.map((name) => ({ name, value: '[hidden]' }))
  const queryString = toPairs(new URL(url).searchParams)
  return {
    startedDateTime: at,
    time: durationMs,
    request: { ...shared, method, url, headers, queryString, bodySize: 0 },
    response: { ...shared, redirectURL: '', bodySize: -1, ...response },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _sidecard: { ...own, ...(abortedAfterMs !== undefined && { abortedAfterMs }) },
  }
}

function toPairs(entries: Iterable<readonly [name: string, value: string]>) {
  return Array.from(entries, ([name, value]) => ({ name, value }))
}

function toEntry(logged: LoggedExchange, facts: HarFacts, isAnonymized: boolean) {
  const { request, response, kind, source, outcome } = logged
  const { params, body, headers, statusText, message, kept } = isAnonymized
    ? anonymizeExchange(replaceCode(logged), { keep: false })
    : anonymizeExchange(logged, { keep: true })
  const shown = Object.entries(headers).filter(
    ([name]) => !isAnonymized || NEUTRAL_HEADERS.has(name),
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { headerNames, receivedHeaderNames = headerNames } = request
  const size = response?.bodyBytes
  const url = isAnonymized ? anonymizeUrl(logged, params) : request.url
  const mimeType = headers['content-type'] ?? ''
  const entry = createEntry(
    logged,
    { ...request, url, headerNames: receivedHeaderNames },
    {
      status: response?.status ?? 0,
      statusText,
      headers: toPairs(shown),
      content: { size: size ?? 0, mimeType, ...(response !== null && { text }) },
      ...(size === undefined ? { _error: message } : { bodySize: size }),
    },
    { kind, source, outcome, urlNumber: facts.numberOf(request.url) },
  )
  return { entry, kept }
}

function toOtherEntry(
  { startedAt, durationMs, method = 'GET', url, response, ...live }: LiveExchange,
  facts: HarFacts,
  isAnonymized: boolean,
) {
  const { receivedHeaderNames: headerNames = [], abortedAfterMs } = live
  const link = facts.linkUse(url)
  const status = response?.status ?? 0
  const shown = isAnonymized ? hideOtherUrl(url, facts) : normalizeActionLinks(url)
  const aborted = abortedAfterMs !== undefined && { abortedAfterMs: Math.round(abortedAfterMs) }
  return createEntry(
    { at: new Date(startedAt).toISOString(), durationMs: Math.round(durationMs) },
    { method, url: shown, headerNames, ...aborted },
    { status, statusText: '', headers: [], content: { size: 0, mimeType: '' } },
    { kind: 'other', source: 'live', urlNumber: facts.numberOf(url), ...(link && { link }) },
  )
}

/** Replaces all values of the query, and a path that is not the endpoint's. */
function hideOtherUrl(text: string, { isEndpointPath }: HarFacts): string {
  const url = replaceQuery(text, () => '[hidden]')
  if (!isEndpointPath(url.pathname)) url.pathname = '/other'
  return url.href
}

function replaceQuery(text: string, replace: (name: string, value: string) => string): URL {
  const url = new URL(text)
  const query = [...url.searchParams].map(([name, value]) => [name, replace(name, value)] as const)
  url.search = ''
  return withQuery(url, query)
}

const CODE = 'code'
/** A longer code is rejected by an app (A6), so its placeholder keeps the length. */
const MAX_CODE_LENGTH = 512

function placeholderOf(code: string): string {
  return code.length > MAX_CODE_LENGTH ? CODE.padEnd(code.length, '-') : CODE
}

/** The URL and the body of a handshake get the same placeholder, so that it can be imported again. */
function replaceCode(logged: LoggedExchange): LoggedExchange {
  const { kind, request, response } = logged
  const code = new Map(request.parameters).get('code')
  if (kind !== 'verify' || !code || response === null) return logged
  return {
    ...logged,
    response: { ...response, body: response.body.replaceAll(code, placeholderOf(code)) },
  }
}

/**
 * Returns the URL with placeholders for the IDs. The values of the endpoint's own
 * query are removed, because they may be secret.
 */
function anonymizeUrl({ request, kind }: LoggedExchange, ids: object): string {
  const sent = new Map(Object.entries(ids) as [string, string][])
  return replaceQuery(request.url, (name, value) => {
    if (name === 'code' && kind === 'verify') return value && placeholderOf(value)
    if (name === 'request_type' || ABSENT_TEXTS.has(value)) return value
    return sent.get(name) ?? '[hidden]'
  }).href
}
