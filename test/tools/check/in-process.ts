import { check } from 'sidecard/check'
import type { CheckOptions, Report, RuleResult } from 'sidecard/check'
import { HEADERS, SECURITY_HEADERS } from '../../fixtures/endpoints/reference.ts'

/** One parsed request of a check. */
export interface Received {
  readonly request: Request
  readonly params: URLSearchParams
  readonly code: string
  /** The number of this handshake, or of this data fetch, from 1. */
  readonly count: number
}

/** Responds to a request. */
export type Answer = (received: Received) => Response | Promise<Response>

/** The parts of an endpoint that a test replaces. */
export interface Parts {
  readonly authorized?: (received: Received) => boolean
  readonly verify?: Answer
  readonly data?: Answer
  readonly other?: Answer
}

/** Creates a JSON response. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const all = { 'content-type': 'application/json', ...SECURITY_HEADERS, ...headers }
  return new Response(typeof value === 'string' ? value : JSON.stringify(value), {
    status,
    headers: Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '')),
  })
}

/** Creates a payload that shows the account, with more components. */
export function payload({ params }: Received, components: readonly unknown[] = []) {
  const account = { type: 'text', label: 'Account', value: params.get('account_id') ?? 'none' }
  return { version: '1.0.0', header: { title: 'Billing' }, components: [account, ...components] }
}

/** An endpoint that conforms, except for the parts that are replaced. It needs no port, so a check takes milliseconds. */
export function inProcess({ authorized, verify, data, other }: Parts = {}) {
  const counts = { verify: 0, fetch_data: 0 }
  return {
    fetch(request: Request): Response | Promise<Response> {
      const { searchParams: params } = new URL(request.url)
      const type = params.get('request_type')
      const isKnown = type === 'fetch_data' || (type === 'verify' && Boolean(params.get('code')))
      const count = isKnown ? (counts[type] += 1) : 0
      const received = { request, params, code: params.get('code') ?? '', count }
      const isRight = () => request.headers.get('x-key') === HEADERS['x-key']
      if (!(authorized?.(received) ?? isRight())) return json({ error: 'unauthorized' }, 401)
      if (!isKnown) return other?.(received) ?? json({ error: 'bad request' }, 400)
      if (type === 'verify') return verify?.(received) ?? json({ code: received.code })
      return data?.(received) ?? json(payload(received))
    },
  }
}

/** Creates codes and IDs that are the same in every run, except for their number. */
export function countedTokens(): () => string {
  let count = 0
  return () => `tok${String((count += 1)).padStart(9, '0')}`
}

/** The secret, and no pauses. */
const QUICK = { headers: HEADERS, sleep: async () => undefined }

/** Checks an in-process endpoint, with the secret. */
export function checkInProcess(parts: Parts = {}, options: CheckOptions = {}): Promise<Report> {
  return check(inProcess(parts), { ...QUICK, randomToken: countedTokens(), ...options })
}

/** Sends a request, like fetch(). */
export type Send = (request: Request) => Promise<Response>

/** Fails like fetch(). */
export function broken(code: string): never {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** Checks a URL. The function sends the requests. */
export function checkUrl(fetch: Send, options: CheckOptions = {}): Promise<Report> {
  const all = { ...QUICK, randomToken: countedTokens(), fetch, ...options }
  return check('http://127.0.0.1:1/', all)
}

/** Returns the findings as one line each: status, rule, path and message. */
export function findingLines({ results }: Report): readonly string[] {
  return results.flatMap(({ status, rule, findings }) =>
    findings.map(({ path, message }) =>
      [status, rule, ...(path === undefined ? [] : [path]), message].join(' | '),
    ),
  )
}

/** Returns the result of one rule. */
export function findResult({ results }: Report, rule: string): RuleResult {
  const result = results.find((each) => each.rule === rule)
  if (result === undefined) throw new Error(`There is no rule ${rule}.`)
  return result
}

/** Returns a payload with these headers, on the data fetches that the function accepts. */
export function dataWith(
  headers: Record<string, string>,
  applies = (_received: Received) => true,
): Answer {
  return (received) => json(payload(received), 200, applies(received) ? headers : {})
}

/** Returns a payload, with another status on the data fetches that the function accepts. */
export function dataFails(applies: (received: Received) => boolean, status = 500): Answer {
  return (received) => json(payload(received), applies(received) ? status : 200)
}

/** An endpoint that deviates, and the findings about it, as {@link findingLines} formats them. */
export type FindingRow = readonly [
  endpoint: string,
  make: () => Parts,
  findings: readonly string[],
  options?: CheckOptions,
]
