import { createRedactor, type Redact } from '../../internal/create-redactor.ts'
import { isSecretHeader, secretParts } from '../../service/credentials.ts'
import { createLinkFinder, findLinks } from '../../service/links.ts'
import { ABSENT_TEXTS } from '../../service/query.ts'
import { isRecording } from '../../service/recording.ts'
import { findApiCalls } from './api-calls.ts'
import { type HarEntry, readHarEntries, readJson } from './har-entries.ts'
import type { EndpointRequest, Traffic } from './traffic.ts'

/** Reads the requests of a HAR document or a recording. Returns `undefined` for another value. */
export function readTraffic(value: unknown): Traffic | undefined {
  if (isRecording(value)) return EMPTY_RECORDING
  const har = readHarEntries(value)
  if (har === undefined) return undefined
  // The emulator's own requests show nothing about the service.
  const ofService = har.entries.filter(
    ({ _sidecard: own }) => own === undefined || own.source === 'live',
  )
  const calls = findApiCalls(ofService)
  const rest = ofService.filter((entry) => !calls.has(entry))
  const named = rest.filter((entry) => kindOf(entry) !== 'other')
  const origins = new Set(named.map(({ request }) => request.url.origin))
  const paths = new Set(named.map(({ request }) => request.url.pathname))
  const isOfEndpoint = ({ request, _sidecard: own }: HarEntry) =>
    own !== undefined || origins.has(request.url.origin)
  const links = named.flatMap((entry) =>
    kindOf(entry) === 'fetch_data' ? findLinks(readJson(entry)) : [],
  )
  const toRequest = createConverter(links, paths)
  const others = rest
    .filter((entry) => kindOf(entry) === 'other' && isOfEndpoint(entry))
    .map(toRequest)
  const requests = named.map(toRequest)
  const used = requests.filter(({ status }) => status !== 401)
  const ends = ofService.map(({ startedDateTime, time }) => startedDateTime + time)
  return {
    format: 'har',
    fetches: used.filter(({ kind }) => kind === 'fetch_data'),
    handshakes: used.filter(({ kind }) => kind === 'verify'),
    others,
    calls: [...calls.values()],
    rejected: requests.length - used.length,
    ignored: har.invalid + har.entries.length - requests.length - others.length - calls.size,
    links: links.length,
    endsAt: ends.reduce((latest, end) => Math.max(latest, end), 0),
    redact: createFileRedactor(har.entries),
  }
}

const EMPTY_RECORDING: Traffic = {
  format: 'recording',
  fetches: [],
  handshakes: [],
  others: [],
  calls: [],
  rejected: 0,
  ignored: 1,
  links: 0,
  endsAt: 0,
  redact: (text) => text,
}

function kindOf({ request }: HarEntry): EndpointRequest['kind'] {
  const types = request.url.searchParams.getAll('request_type')
  return types.find((type) => type === 'verify' || type === 'fetch_data') ?? 'other'
}

function createConverter(links: readonly URL[], paths: ReadonlySet<string>) {
  const numbers = new Map<string, number>()
  const findUse = createLinkFinder(links)
  return (entry: HarEntry): EndpointRequest => {
    const {
      request,
      response,
      startedDateTime: startedAt,
      time: durationMs,
      _sidecard: own = {},
    } = entry
    const { method, url, headers } = request
    const urlNumber = own.urlNumber ?? numbers.get(url.href) ?? numbers.size
    numbers.set(url.href, urlNumber)
    const isAborted =
      response.status === 0 && /abort|cancel|closed|reset/i.test(response._error ?? '')
    // Sidecard's own export says whether the service closed the connection.
    const isForeign = entry._sidecard === undefined
    const abortedAfterMs = own.abortedAfterMs ?? (isForeign && isAborted ? durationMs : undefined)
    const kind = kindOf(entry)
    const link = own.link ?? (kind === 'other' ? findUse(url) : undefined)
    return {
      kind,
      method,
      parameters: [...url.searchParams],
      headerNames: headers.map(({ name }) => name.toLowerCase()),
      urlNumber,
      isEndpointPath: paths.has(url.pathname),
      startedAt,
      durationMs,
      ...(response.status > 0 && { status: response.status }),
      ...(abortedAfterMs !== undefined && { abortedAfterMs }),
      ...(link !== undefined && { link }),
    }
  }
}

/** Names of parameters whose values are not personal. */
const PUBLIC = new Set(['request_type', 'limit', 'status', 'customer_portal_visible'])

/** Creates a redactor of everything in the file that identifies a customer, a secret or a host. */
function createFileRedactor(entries: readonly HarEntry[]): Redact {
  const secrets = new Set<string>()
  const ids = new Set<string>()
  for (const { request } of entries) {
    const { url, headers } = request
    for (const { name, value } of headers) {
      if (value === '[hidden]') continue
      if (!isSecretHeader(name, value)) ids.add(value)
      else for (const secret of secretParts(name, value)) secrets.add(secret)
    }
    for (const [name, value] of url.searchParams)
      if (!PUBLIC.has(name) && !ABSENT_TEXTS.has(value)) ids.add(value)
    for (const part of url.pathname.split('/')) if (/\d/.test(part)) ids.add(part)
    ids.add(url.hostname)
    if (url.password !== '') secrets.add(url.password)
  }
  return createRedactor(secrets, ids)
}
