import { normalizeActionLinks } from '../../internal/action-link.ts'
import { withQuery } from '../../service/query.ts'
import {
  CACHE_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
} from '../../internal/headers.ts'
import { VERSION } from '../listener/version.ts'
import { anonymizeExchange } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'
import { createFacts, type HarFacts } from './har-facts.ts'
import type { OtherRequest } from './other-requests.ts'

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
  others: readonly OtherRequest[],
  options: { readonly anonymize: boolean },
): Promise<object> {
  const titles = new Set<string>()
  const facts = createFacts(exchanges)
  const entries: { startedDateTime: string }[] = others.map((request) =>
    toOtherEntry(request, facts, options.anonymize),
  )
  for (const [index, logged] of exchanges.entries()) {
    const { kept, entry } = toEntry(logged, facts, options.anonymize)
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

function toEntry(logged: LoggedExchange, facts: HarFacts, isAnonymized: boolean) {
  const { request, response, at, durationMs, kind, source, outcome } = logged
  const { params, body, meta, kept } = isAnonymized
    ? anonymizeExchange(replaceCode(logged), { keep: false })
    : anonymizeExchange(logged, { keep: true })
  const url = isAnonymized ? anonymizeUrl(logged, params) : request.url
  const headers = Object.entries(meta.headers).filter(
    ([name]) => !isAnonymized || NEUTRAL_HEADERS.has(name),
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { method, headerNames, receivedHeaderNames = headerNames, abortedAfterMs } = request
  const entry = {
    startedDateTime: at,
    time: durationMs,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: receivedHeaderNames.map((name) => ({ name, value: '[hidden]' })),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: meta.statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headers.map(([name, value]) => ({ name, value })),
      content: {
        size: response?.bodyBytes ?? 0,
        mimeType: meta.headers['content-type'] ?? '',
        ...(response !== null && { text }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response?.bodyBytes ?? -1,
      ...(response === null && { _error: meta.message }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _sidecard: {
      kind,
      source,
      outcome,
      urlNumber: facts.numberOf(request.url),
      ...(abortedAfterMs !== undefined && { abortedAfterMs }),
    },
  }
  return { entry, kept }
}

function toOtherEntry(
  { at, durationMs, method, url, receivedHeaderNames, status, abortedAfterMs }: OtherRequest,
  facts: HarFacts,
  isAnonymized: boolean,
) {
  const shown = isAnonymized ? hideOtherUrl(url, facts) : normalizeActionLinks(url)
  const link = facts.linkUse(url)
  const request = {
    method,
    url: shown,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: receivedHeaderNames.map((name) => ({ name, value: '[hidden]' })),
    queryString: [...new URL(shown).searchParams].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: 0,
  }
  const response = {
    status: status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: '' },
    redirectURL: '',
    headersSize: -1,
    bodySize: -1,
  }
  const timings = { send: 0, wait: durationMs, receive: 0 }
  const own = {
    kind: 'other',
    source: 'live',
    urlNumber: facts.numberOf(url),
    ...(link !== undefined && { link }),
    ...(abortedAfterMs !== undefined && { abortedAfterMs }),
  }
  const entry = { startedDateTime: at, time: durationMs, request, response, cache: {}, timings }
  return { ...entry, _sidecard: own }
}

/** Removes all values of the query, and a path that is not the endpoint's. */
function hideOtherUrl(text: string, { isEndpointPath }: HarFacts): string {
  const url = new URL(text)
  const names = [...url.searchParams].map(([name]) => [name, '[hidden]'] as const)
  if (!isEndpointPath(url.pathname)) url.pathname = '/other'
  url.search = ''
  return withQuery(url, names).href
}

const CODE = 'code'
/** A longer code is rejected by an app (A6), so its placeholder keeps the length. */
const MAX_CODE_LENGTH = 512

function placeholderOf(code: string): string {
  return code.length > MAX_CODE_LENGTH ? CODE.padEnd(code.length, '-') : CODE
}

/** Texts in place of an absent ID (A4). They identify no customer. */
const ABSENT_TEXTS = new Set(['null', 'undefined', 'None', 'nil'])

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
  const url = new URL(request.url)
  const sent = new Map(Object.entries(ids) as [string, string][])
  const query = request.parameters.map(([name, value]) => {
    if (name === 'request_type') return [name, value] as const
    if (name === 'code' && kind === 'verify') return [name, value && placeholderOf(value)] as const
    if (ABSENT_TEXTS.has(value)) return [name, value] as const
    return [name, sent.get(name) ?? '[hidden]'] as const
  })
  url.search = ''
  return withQuery(url, query).href
}
