import { isDateTime } from '../../../runtime/contract/date-time.ts'
import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { validatePayload } from '../../../runtime/contract/validate.ts'
import { isJsonObject } from '../../service/endpoint/json-object.ts'
import { createLinkFinder } from '../../service/endpoint/links.ts'
import { ABSENT_TEXTS } from '../../service/endpoint/query.ts'

/**
 * Matches names and paths of fields, parameters and headers. Other texts may be
 * values of a customer.
 */
const NAME = /^[a-z_][\w.[\]-]{0,79}$/i

/** Matches numbers and tokens that look like IDs, such as `acc_77` and `8841730`. */
const LIKE_AN_ID = /\d{3}|[_-]\d{2,}(?:$|[.[])|(?=\w*\d)(?=\w*[a-z])\w{20}/i

/** Returns a name from the traffic, or `[hidden]` if it may be a value. */
export function nameOf(text: string): string {
  return NAME.test(text) && !LIKE_AN_ID.test(text) ? text : '[hidden]'
}

/** A request and its response, as the tunnel forwarded it or `sidecard record` sent it. */
export interface SeenExchange {
  /** The sender. A request from `sidecard` says nothing about the service's requests. */
  readonly sender: 'service' | 'sidecard'
  readonly method: string
  readonly url: URL
  /** Whether the endpoint received the request. A tunnel itself rejects other paths and methods. */
  readonly isForEndpoint: boolean
  /** In lowercase. */
  readonly headerNames: readonly string[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Absent if there was no response. */
  readonly status?: number | undefined
  /** Milliseconds until the caller closed the connection without waiting for the response. */
  readonly abortedAfterMs?: number | undefined
  readonly bytes: number
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown
}

/** An earlier exchange, with the links of its payload. */
export type PastExchange = Omit<SeenExchange, 'body'> & { readonly links: readonly URL[] }

/**
 * The decision of one exchange about an assumption: true if it holds, the reason if it
 * does not, `undefined` if the exchange decides nothing. An absent request never decides.
 */
export type Decision = true | string | undefined

/** Decides an assumption based on an exchange and earlier ones. */
export type Decide = (exchange: SeenExchange, earlier: readonly PastExchange[]) => Decision

const valuesOf = ({ url }: PastExchange | SeenExchange, name: string) =>
  url.searchParams.getAll(name)
const typeOf = (exchange: PastExchange | SeenExchange) => valuesOf(exchange, 'request_type')[0]
const isFetch = (exchange: PastExchange | SeenExchange) => typeOf(exchange) === 'fetch_data'

/** Decides based on requests of the service. A 401 may be the response to a visitor. */
const ofService =
  (decide: Decide, wanted: (exchange: SeenExchange) => boolean = () => true): Decide =>
  (exchange, earlier) => {
    const { sender, isForEndpoint, status } = exchange
    const isOfService = sender === 'service' && isForEndpoint && status !== 401
    return isOfService && wanted(exchange) ? decide(exchange, earlier) : undefined
  }

/** Decides based on payloads. */
const ofPayload =
  (findAgainst: (payload: object, exchange: SeenExchange) => string | undefined): Decide =>
  (exchange) =>
    exchange.status === 200 && isJsonObject(exchange.body) && isFetch(exchange)
      ? (findAgainst(exchange.body, exchange) ?? true)
      : undefined

function findIssue(payload: object, codes: readonly string[]): string | undefined {
  const checked = validatePayload(payload)
  const issue = checked.ok ? undefined : checked.issues.find(({ code }) => codes.includes(code))
  return issue && `${nameOf(issue.path)}: ${issue.code}`
}

/** Returns the components of a payload, with those of its cards. */
function componentsOf(payload: object): readonly object[] {
  const { components } = payload as { readonly components?: unknown }
  const found: readonly unknown[] = Array.isArray(components) ? components : []
  return found.flatMap((each) => (isJsonObject(each) ? [each, ...componentsOf(each)] : []))
}

const fold = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

function oddParameter(exchange: SeenExchange): string | undefined {
  const names = [...exchange.url.searchParams.keys()]
  for (const name of FETCH_DATA_PARAMETERS) {
    const values = valuesOf(exchange, name)
    if (values.length > 1) return `${name} was sent ${values.length} times`
    if (values.some((value) => ABSENT_TEXTS.has(value)))
      return `${name} was sent as text that stands for an absent value`
    const spelling = names.find((each) => each !== name && fold(each) === fold(name))
    if (spelling !== undefined) return `${name} was sent as ${nameOf(spelling)}`
  }
  return undefined
}

const RETRY_WINDOW_MS = 10_000
const isFailed = ({ status = 0, abortedAfterMs }: PastExchange) =>
  abortedAfterMs === undefined && (status === 0 || status >= 400) && status !== 401

const decideRetry: Decide = (exchange, earlier) => {
  const failed = earlier.findLast((each) => isFetch(each) && each.isForEndpoint && isFailed(each))
  if (failed === undefined) return undefined
  const gap = exchange.startedAt - failed.startedAt - failed.durationMs
  if (exchange.url.href === failed.url.href && gap >= 0 && gap <= RETRY_WINDOW_MS) {
    return `a failed data fetch was sent again after ${Math.round(gap)} ms`
  }
  return gap > RETRY_WINDOW_MS ? true : undefined
}

const MAX_CODE_LENGTH = 512

function oddForm(exchange: SeenExchange): string | undefined {
  const types = valuesOf(exchange, 'request_type')
  if (types.length !== 1) return `a request contains request_type ${types.length} times`
  if (!['verify', 'fetch_data'].includes(types[0] ?? ''))
    return 'a request has an unknown request_type'
  if (types[0] === 'fetch_data') return undefined
  const [code = '', ...more] = valuesOf(exchange, 'code')
  if (code === '' || more.length > 0)
    return `a handshake has ${code === '' ? 'no code' : 'several codes'}`
  return code.length > MAX_CODE_LENGTH
    ? `a handshake has a code of ${code.length} characters`
    : undefined
}

/** The default `timeoutMs` of an app. */
const APP_TIMEOUT_MS = 5_000

/**
 * Two aborts after nearly the same time are due to a timeout of the service. An
 * agent who leaves an issue also causes aborts.
 */
const SAME_LIMIT_MS = 500

const decideTimeout: Decide = ({ durationMs, abortedAfterMs }, earlier) => {
  if ((abortedAfterMs ?? durationMs) >= APP_TIMEOUT_MS) return true
  if (abortedAfterMs === undefined) return undefined
  const isLimit = earlier.some(
    (each) => Math.abs((each.abortedAfterMs ?? Infinity) - abortedAfterMs) <= SAME_LIMIT_MS,
  )
  return isLimit ? `two requests were aborted after ${Math.round(abortedAfterMs)} ms` : undefined
}

/** Matches names of parameters and headers that may identify the agent. */
const AGENT_NAME = /agent(?![a-z])|operator|viewer|opened_by|current_user|assignee|staff|member_id/i
const DOCUMENTED: ReadonlySet<string> = new Set(['request_type', 'code', ...FETCH_DATA_PARAMETERS])

/** Returns the names of the parameters that the contract does not list. */
export function newParameters({ url }: Pick<SeenExchange, 'url'>): readonly string[] {
  return [...new Set(url.searchParams.keys())].filter((name) => !DOCUMENTED.has(name))
}

const decideAgent: Decide = (exchange, earlier) => {
  // Parameters of the endpoint's own URL are in its handshakes as well.
  const own = new Set(earlier.filter((each) => !isFetch(each)).flatMap(newParameters))
  const added = newParameters(exchange).filter((name) => !own.has(name))
  const named = [...added, ...exchange.headerNames].find(
    (name) => name !== 'user-agent' && AGENT_NAME.test(name),
  )
  if (named !== undefined) return `a data fetch has ${nameOf(named)}`
  // Only a person can see whether a new parameter identifies the agent.
  return added.length > 0 ? undefined : true
}

/** Headers that browsers only send when a person opens a page. */
const OF_NAVIGATIONS = ['sec-fetch-user', 'upgrade-insecure-requests']

const decideLinks: Decide = ({ sender, isForEndpoint, url, method, headerNames }, earlier) => {
  if (sender === 'sidecard') return undefined
  const links = earlier.flatMap((each) => each.links)
  const link = isForEndpoint ? undefined : createLinkFinder(links)(url)
  if (link === undefined) return undefined
  if (link.use === 'cut') return `a link of ${link.length} characters was truncated`
  const isPerson =
    method === 'GET' &&
    OF_NAVIGATIONS.some((name) => headerNames.includes(name)) &&
    !headerNames.includes('sec-purpose')
  return isPerson || 'a link was opened, but not by a person in a browser'
}

/** Decides nothing, because no API call passes through a tunnel. */
const noApi: Decide = () => undefined

/**
 * Every assumption of docs/assumptions.md: a claim, and how an exchange decides
 * it. Claims about payloads are about what endpoints send. No exchange shows
 * whether the service accepts that.
 */
export const ASSUMPTIONS = {
  A1: {
    claim: 'The header has a title.',
    decide: ofPayload((payload) => {
      const { header } = payload as { readonly header?: { readonly title?: unknown } }
      return typeof header?.title === 'string' ? undefined : 'a header has no title'
    }),
  },
  A2: {
    claim: 'A payload contains only fields of the contract.',
    decide: ofPayload((payload) => findIssue(payload, ['unknown_field', 'divider_field'])),
  },
  A3: {
    claim: 'The version of a payload is 1.0.0.',
    decide: ofPayload((payload) =>
      (payload as { readonly version?: unknown }).version === '1.0.0'
        ? undefined
        : 'a payload has another version',
    ),
  },
  A4: {
    claim: 'A data fetch contains each ID at most once. An absent ID is missing or empty.',
    decide: ofService((exchange) => oddParameter(exchange) ?? true, isFetch),
  },
  A5: {
    claim: 'The service does not repeat a data fetch that failed.',
    decide: ofService(decideRetry, isFetch),
  },
  A6: {
    claim:
      'A request has one documented request_type, and a handshake one code of at most 512 characters.',
    decide: ofService((exchange) => oddForm(exchange) ?? true),
  },
  A7: {
    claim: 'The service waits at least 5,000 ms for a response.',
    decide: ofService(decideTimeout),
  },
  A8: {
    claim: 'A payload has at most 1,000 components and 256 KiB.',
    decide: ofPayload((payload, { bytes }) => {
      const count = componentsOf(payload).length
      return count > 1_000 || bytes > 256 * 1_024
        ? `a payload has ${count} components and ${bytes} bytes`
        : undefined
    }),
  },
  A9: {
    claim: 'Links use http, https, mailto or tel.',
    decide: ofPayload((payload) => findIssue(payload, ['invalid_uri_scheme', 'script_uri'])),
  },
  A10: {
    claim: 'A date-time has no leap second, and no lowercase t or z.',
    decide: ofPayload((payload) => {
      const values = componentsOf(payload).map(
        (each) => (each as { readonly value?: unknown }).value,
      )
      const isRare = (value: unknown) =>
        typeof value === 'string' && isDateTime(value) && /[tz]|:\d\d:60/.test(value)
      return values.some(isRare) ? 'a date-time has a rare form' : undefined
    }),
  },
  A11: { claim: 'The parameter cursor requests the next page of a list.', decide: noApi },
  A12: { claim: 'A 2xx response has data, and an error has a message or a code.', decide: noApi },
  A13: { claim: 'A response with status 429 asks to wait at most 60 seconds.', decide: noApi },
  A14: { claim: 'Fields of API responses are absent or have the documented type.', decide: noApi },
  A15: { claim: 'The API responds as the emulator does.', decide: noApi },
  A16: {
    claim: 'Requests do not say which agent opened the issue.',
    decide: ofService(decideAgent, isFetch),
  },
  A17: { claim: 'Links are not truncated, and only agents open them.', decide: decideLinks },
} satisfies Record<string, { readonly claim: string; readonly decide: Decide }>

/** The ID of an assumption. */
export type AssumptionId = keyof typeof ASSUMPTIONS
