import { harm, inGroup, should } from '../../service/response-rule.ts'
import { quote } from '../../internal/escape-for-display.ts'
import type { Evidence } from '../probes/evidence.ts'
import { isPassed } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { isolation } from './isolation.ts'
import { createLeakFinder, findEcho } from '../responses/leaks.ts'
import { isRead } from '../responses/roles.ts'
import { FOREIGN_ORIGIN } from '../probes/last-reads.ts'
import { payloadSecurityRules } from './payload.ts'
import { sharedValues } from './shared-values.ts'
import { unknownCustomers } from './unknown-customers.ts'
import { findFirst, joinNames, PASSED, skipped, violation } from './rule.ts'
import type { CheckRule, CheckViolation } from './rule.ts'

/**
 * Returns whether a host is local: a name without a dot, a name that is reserved
 * for local networks (RFC 6761), or a private address.
 */
function isLocal(hostname: string): boolean {
  return /^\[(?:::1\]|f[cde])|^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.|^[^.[]+$|\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid|example|onion|home\.arpa)\.?$/.test(
    hostname,
  )
}

function evaluateHeaders(
  { of }: Evidence,
  roles: ReadonlyArray<'handshake' | 'sample' | 'origin'>,
  describe: (headers: Readonly<Record<string, string>>) => string | undefined,
  fails = false,
) {
  const passed = of(...roles).filter((probe) => probe.role === 'origin' || isRead(probe))
  if (passed.length === 0) return skipped('no request succeeded')
  const found = passed.flatMap((probe) => {
    const message = describe(probe.exchange.response?.headers ?? {})
    return message === undefined ? [] : [{ name: probe.name, message }]
  })
  const [first] = found
  if (first === undefined) return PASSED
  const where =
    found.length < passed.length ? ` (${joinNames(found.map((each) => each.name))})` : ''
  return violation({ message: `${first.message}${where}`, fails })
}

/** The headers that tell a CDN or a proxy to store a response, whatever Cache-Control says (RFC 9213). */
const CDN_CONTROL = /^[\w-]+-cache-control$|^(?:surrogate|edge)-control$|^x-accel-expires$/
const FRESH = /\b(?:s-|cache-)?max-?age\s*=\s*"?[1-9]|^\s*@?[1-9]/i
const PUBLIC = /\bpublic\b/i
const SHARED = /\bpublic\b|\bs-maxage\b/i
const NOT_STORED = /(?<!!)\bno-store\b|\bprivate\b/i
const NOT_SERVED = /\bno-cache\b|\bs-maxage\s*=\s*"?0/i
const CACHE_STATUS = /^(?:cf-cache-status|(?:x(?:-[\w-]+)?-)?cache(?:-status)?)$/

/** Returns whether a header lets a CDN store the response, or shows that a shared cache did. */
function showsSharedCache([name, value]: readonly [string, string]): boolean {
  if (name === 'age') return /^\s*[1-9]/.test(value)
  if (CACHE_STATUS.test(name)) return /\bhit\b/i.test(value)
  const isStored = CDN_CONTROL.test(name) && (FRESH.test(value) || PUBLIC.test(value))
  return isStored && !NOT_STORED.test(value)
}

/**
 * Returns whether a protected endpoint asks shared caches to serve the data of a passed customer
 * without comparing the secret.
 */
function isServedToAll({ credentials, of, settings: { expectAuth } }: Evidence): boolean {
  const isProtected =
    expectAuth === 'detect'
      ? of('authData').some((each) => each.kind === 'missing' && !each.payload)
      : expectAuth
  const isOpen = ([name, value]: readonly [string, string]) =>
    (CDN_CONTROL.test(name) || (name === 'cache-control' && SHARED.test(value))) &&
    FRESH.test(value) &&
    ![NOT_STORED, NOT_SERVED].some((pattern) => pattern.test(value))
  return of('sample').some(({ customer, payload, exchange: { response } }) => {
    const { vary = '', ...headers } = response?.headers ?? {}
    const varies = ['*', ...credentials].some((each) =>
      vary.toLowerCase().includes(each.toLowerCase()),
    )
    const isData = isProtected && isPassed(customer) && payload !== undefined
    return isData && !varies && Object.entries(headers).some(isOpen)
  })
}

function describeCaching(headers: Readonly<Record<string, string>>): string | undefined {
  const [name, shared] = Object.entries(headers).find(showsSharedCache) ?? []
  if (shared !== undefined) return `${name} is ${quote(shared, 60)}`
  const { 'cache-control': value = '', expires = '', date = '' } = headers
  if (/\bno-store\b|\bprivate\b/i.test(value)) return undefined
  if (/\bpublic\b|\bs-maxage\s*=|\b(?:max-age|stale-[\w-]+)\s*=\s*"?[1-9]/i.test(value)) {
    return `Cache-Control is ${quote(value, 60)}`
  }
  if (/\bno-cache\b|\bmax-age\b/i.test(value)) return undefined
  if (Date.parse(expires) > (Date.parse(date) || Date.now())) {
    return `Expires is ${quote(expires, 60)}, without Cache-Control: no-store`
  }
  return headers['etag'] === undefined
    ? undefined
    : 'there is an ETag, without Cache-Control: no-store'
}

/** Finds two customers whose different responses have the same ETag. */
function findSharedTag({ of }: Evidence): CheckViolation | undefined {
  const tagOf = ({ exchange: { response } }: DataProbe) => response?.headers['etag']
  const reads = of('sample', 'known').filter((each) => tagOf(each) !== undefined)
  return findFirst(reads, (probe) => {
    const others = reads.filter(({ customer }) => customer.name !== probe.customer.name)
    const same = others.find((each) => tagOf(each) === tagOf(probe))
    if (same?.exchange.response?.text === probe.exchange.response?.text) return undefined
    return same && { message: 'has the ETag of a different customer', fails: false }
  })
}

function toEcho(path: string | undefined, what: string): CheckViolation | undefined {
  return path === undefined ? undefined : { path, message: `the response contains ${what}` }
}

/** The rules about security, in the order of reports. */
export const securityRules = inGroup<CheckRule>('security', [
  {
    id: 'security-header-echo',
    title: 'Responses do not contain request header values',
    ...harm('authentication', 'The endpoint receives custom headers. Agents see its responses.'),
    fix: 'Never include request headers in a response, an error or a debug field.',
    why: 'Once the secret appears in the sidebar or in an error, it is no longer secret. The checker searches for the secret in many encodings. Headers without a secret, such as a tenant or a language, may appear in responses.',
    evaluate({ all: probes, of, settings: { headers } }) {
      if (probes.length === 0) return skipped('no response was received')
      const sent = Object.values(headers).join('\n').toLowerCase()
      const echoes = [
        ...Object.entries(headers).map(([name, value]) => {
          const find = createLeakFinder(name, value)
          const what = `the value of ${quote(name, 60)}`
          return findFirst(probes, ({ exchange }) => toEcho(find(exchange), what))
        }),
        findFirst(of('canary', 'invalidCanary'), ({ value, exchange }) =>
          toEcho(findEcho(value, exchange), 'the value of that header'),
        ),
        findFirst(of('authHandshake', 'authData'), ({ values, exchange }) => {
          // A value that is part of a correct one proves nothing: a header that is not a secret may
          // appear in a response.
          const wrong = values.filter((value) => !sent.includes(value.toLowerCase()))
          const path = wrong.map((value) => findEcho(value, exchange)).find(Boolean)
          return toEcho(path, 'the rejected value')
        }),
      ]
      return violation(echoes.find((echo) => echo !== undefined))
    },
  },
  isolation,
  unknownCustomers,
  sharedValues,
  ...payloadSecurityRules,
  {
    id: 'security-cors',
    title: 'Responses do not allow cross-origin reads',
    ...should('requests', 'Only the service calls the endpoint. CORS is not specified.'),
    fix: 'Remove Access-Control-Allow-Origin.',
    why: "With `*` or a copy of the Origin, any page an agent opens can read the endpoint's responses from inside the agent's network. The checker sends three different Origins.",
    evaluate: (evidence) =>
      evaluateHeaders(evidence, ['handshake', 'sample', 'origin'], (headers) => {
        const value = headers['access-control-allow-origin']
        if (value === undefined) return undefined
        const reflects = FOREIGN_ORIGIN.test(value) ? ', which is the Origin of the request' : ''
        return `Access-Control-Allow-Origin is ${quote(value, 60)}${reflects}`
      }),
  },
  {
    id: 'security-nosniff',
    title: 'Responses disable content sniffing',
    ...should('handshake', 'The response has a Content-Type, so no client has to guess it.'),
    fix: 'Send X-Content-Type-Options: nosniff.',
    why: 'The handshake echoes text from the URL. A browser that sniffs the type could treat it as HTML.',
    evaluate: (evidence) =>
      evaluateHeaders(evidence, ['handshake', 'sample'], (headers) =>
        headers['x-content-type-options']?.trim().toLowerCase() === 'nosniff'
          ? undefined
          : 'X-Content-Type-Options is not nosniff',
      ),
  },
  {
    id: 'security-cache',
    title: 'Shared caches must not store responses',
    ...should('requests', 'Data is about one issue. Caching is not specified.'),
    fix: 'Send Cache-Control: no-store.',
    why: 'A proxy could serve a stored response to a caller without the secret. If the endpoint asks shared caches to serve the data of a passed customer to everybody, the run fails. An Expires header or an ETag also allows a proxy to store a response, and headers for CDNs override Cache-Control. Two customers cannot share an ETag.',
    evaluate(evidence) {
      const isOpen = isServedToAll(evidence)
      const outcome = evaluateHeaders(evidence, ['handshake', 'sample'], describeCaching, isOpen)
      return outcome === PASSED ? violation(findSharedTag(evidence)) : outcome
    },
  },
  {
    id: 'security-https',
    title: 'The URL uses https',
    ...should('requests', 'The service sends secrets and email addresses to the URL.'),
    fix: 'Serve the endpoint over https, and configure the https URL.',
    why: 'Over http, the secret and customer data can be read and changed in transit. Local and private addresses are exempt.',
    evaluate({ url, overNetwork }) {
      if (!overNetwork || url.protocol === 'https:') return PASSED
      return isLocal(url.hostname) ? PASSED : violation({ message: 'the URL uses http' })
    },
  },
])
