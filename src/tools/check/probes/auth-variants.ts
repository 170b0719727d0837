import { mapSecret } from '../../service/endpoint/credentials.ts'
import { fetchDataQuery, verifyQuery } from '../../service/endpoint/query.ts'
import type { FetchDataIds, Query } from '../../service/endpoint/query.ts'
import { type Customer, isPassed } from '../customers.ts'
import type { AuthFacts } from '../probe.ts'

/** A variant of the custom headers that an unauthenticated caller could send. */
export interface AuthVariant extends AuthFacts {
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is only sent as a data fetch, because few endpoints protect handshakes in their own way. */
  readonly isDataOnly?: boolean
  /** Creates the query, if the service never sends it. */
  readonly query?: (ids: FetchDataIds) => Query
}

/** The description of requests without any credentials. */
export const WITHOUT = 'without the headers'

type Headers = Readonly<Record<string, string>>

/** What careless endpoints trust instead of the secret. */
const LOCAL = {
  'x-forwarded-for': '127.0.0.1',
  'x-real-ip': '127.0.0.1',
  'user-agent': 'kube-probe/1.31',
}
const SIGNED_IN = {
  cookie: 'consent; session=sidecard-check; admin=true; role=admin',
  authorization: 'Bearer sidecard-check',
  'x-api-key': 'sidecard-check',
  'x-remote-user': 'admin',
  'x-authenticated': 'true',
  'x-ssl-client-verify': 'SUCCESS',
  'x-original-url': '/health',
}
/** Headers of a browser or a proxy, of which a cache may make its key. */
export const BROWSER = {
  'user-agent': 'Mozilla/5.0',
  accept: 'text/html',
  'accept-language': 'de-DE',
  'x-forwarded-for': '10.0.0.7',
  'if-none-match': '"sidecard-check"',
  'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
  range: 'bytes=0-',
}
const ADMIN = { authorization: 'Basic YWRtaW46YWRtaW4=', 'x-http-method-override': 'OPTIONS' }
// Some endpoints let every request of this type pass.
const UNKNOWN_TYPE = ['request_type', 'ping'] as const
const FURTHER = 'code callback debug preview test admin token key secret'
  .split(' ')
  .map((name) => [name, '1'] as const)

/** Returns a function that changes the type of a request. */
export const typed = (type: string) => (fetch: Exclude<Query, string>) =>
  `request_type=${type}&${new URLSearchParams(fetch.slice(1).map(([...pair]) => pair))}`

/**
 * Creates variants without credentials: without all of them, without each one, with
 * empty values, from an address that careless endpoints trust, and in ways that their
 * authentication overlooks.
 */
export function missingVariants(
  headers: Headers,
  credentials: readonly string[],
  origin = '',
): readonly AuthVariant[] {
  const without = (names: readonly string[], sent = headers) =>
    Object.fromEntries(
      Object.entries(sent).filter(([name]) => !names.some((each) => isSameName(each, name))),
    )
  const empty = Object.fromEntries(credentials.map((name) => [name, '']))
  const verified = Object.fromEntries(credentials.map((name) => [`${name}-verified`, 'true']))
  const others = without(credentials)
  const unusual = (description: string, variant: Partial<AuthVariant>): AuthVariant => ({
    ...missing(`${WITHOUT}, ${description}`, others),
    kind: 'unusual',
    isDataOnly: true,
    ...variant,
  })
  const asking = (description: string, query: (fetch: Exclude<Query, string>) => Query) =>
    unusual(description, { query: (ids) => query(fetchDataQuery(ids)) })
  return [
    missing(WITHOUT, others),
    missing('with empty headers', { ...headers, ...empty }),
    missing('that claims to come from the same machine', { ...LOCAL, ...others }),
    unusual('with a different kind of credentials', {
      headers: without(credentials, { ...SIGNED_IN, ...verified, ...headers }),
    }),
    unusual('that claims a different method', {
      headers: { 'x-http-method-override': 'POST', 'if-none-match': '*', ...others },
    }),
    unusual('from a browser', {
      headers: without(credentials, { ...BROWSER, ...ADMIN, referer: `${origin}/`, ...headers }),
    }),
    asking('after a handshake', (fetch) => [...verifyQuery('sidecard-check'), ...fetch]),
    asking('before a handshake', (fetch) => [...fetch, ...verifyQuery('sidecard-check')]),
    asking('after an unknown request_type', (fetch) => [UNKNOWN_TYPE, ...fetch]),
    asking('before an unknown request_type', (fetch) => [...fetch, UNKNOWN_TYPE]),
    asking('with further parameters', (fetch) => [...fetch, ...FURTHER]),
    asking('with a request_type in capital letters', typed('FETCH_DATA')),
    asking('with an encoded request_type', typed('fetch%5Fdata')),
    ...(credentials.length < 2 ? [] : credentials).map((name) => ({
      ...missing(`without the header ${name}`, without([name])),
      kind: 'single' as const,
      omitted: name,
    })),
  ]
}

function missing(description: string, headers: Headers): AuthVariant {
  return { description, kind: 'missing', headers, values: [] }
}

/** The places where a secret is changed, because a careless comparison reads only a part of it. */
const PLACES = [
  ['at the start', () => 0],
  ['in the middle', (length: number) => length >> 1],
  ['at the end', (length: number) => length],
] as const

/** Changes one character at each place of a secret: replaces it, removes it, or adds one. */
const CHANGES_AT_PLACES = PLACES.flatMap(([place, find]) => {
  const change = (removed: number, added: (character: string) => string) => (secret: string) => {
    const at = Math.min(find(secret.length), secret.length - removed)
    return secret.slice(0, at) + added(secret[at] ?? '') + secret.slice(at + removed)
  }
  return [
    ['wrong', `with another character ${place}`, change(1, replaceLetter)],
    ['wrong', `without a character ${place}`, change(1, () => '')],
    ['wrong', `with an added character ${place}`, change(0, () => 'x')],
  ] as const
})

/**
 * Creates variants with a wrong secret. Some of them pass a careless comparison: a
 * secret that differs only at one place, a part of it, another letter case,
 * surrounding whitespace. Each value occurs once, even if the secret is short.
 */
export function wrongVariants(
  headers: Headers,
  names: readonly string[],
  random: () => string,
): readonly AuthVariant[] {
  const several = Object.keys(headers).length > 1 && names.length === 1
  const suffix = several ? ` for ${names[0]}` : ''
  const half = (secret: string) => secret.length >> 1
  const forData = [
    ['wrong', 'with a letter that is not ASCII', () => `${random()}é`],
    ['wrong', 'with a condition of SQL', () => "' OR '1'='1"],
    ['wrong', 'with a pattern of SQL', () => '%'],
    ['wrong', 'with a wildcard', () => '*'],
    ['wrong', 'with a regular expression', () => '.*'],
    ['wrong', 'in reverse', (secret: string) => Array.from(secret).toReversed().join('')],
    ['wrong', 'with a long value', () => random().repeat(300)],
    ['wrong', 'with the value changeme', () => 'changeme'],
    ['blanks', 'with surrounding whitespace', surround('\u00A0')],
    ['blanks', 'with surrounding whitespace in UTF-8', surround('\u00C2\u00A0')],
  ] as const
  const changes = [
    ['wrong', 'with a wrong value', () => random()],
    ...CHANGES_AT_PLACES,
    ['wrong', 'with only the first half', (secret: string) => secret.slice(0, half(secret))],
    ['wrong', 'with only the second half', (secret: string) => secret.slice(half(secret))],
    ['wrong', 'in another letter case', swapCase],
  ] as const
  const sent = new Set<string>()
  return [...changes, ...forData].flatMap(([kind, description, change], index) => {
    // The cookie specification lets servers trim cookie values.
    if (kind === 'blanks' && names.some((name) => name.toLowerCase() === 'cookie')) return []
    const changed = names.map(
      (name) => [name, mapSecret(name, headers[name] ?? '', change)] as const,
    )
    const values = changed.map(([, value]) => value)
    const isSent = sent.size === sent.add(JSON.stringify(values)).size
    const isUseless = changed.some(([name, value]) => ['', headers[name] ?? ''].includes(value))
    if (isSent || isUseless) return []
    const facts = { description: `${description}${suffix}`, kind, values }
    const isDataOnly = index >= changes.length
    return [{ ...facts, isDataOnly, headers: { ...headers, ...Object.fromEntries(changed) } }]
  })
}

/** Returns a variant that names the customer, unless the check has only one with made-up IDs. */
export function variantFor(customer: Customer, variant: AuthVariant, naming = ''): AuthVariant {
  const isOnly = customer.name === 'customer 1' && !isPassed(customer)
  const who = isOnly ? '' : `for ${customer.name}`
  return { ...variant, description: `${who}${naming} ${variant.description}`.trim() }
}

function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** Surrounds a secret with no-break spaces, because HTTP removes ordinary blanks around a value. */
function surround(blank: string): (secret: string) => string {
  return (secret) => `${blank}${secret}${blank}`
}

/** Returns a character that differs from this one, in any letter case. */
export function replaceLetter(character: string): string {
  return /[w-z]/i.test(character) ? 'k' : 'x'
}

/** Returns a text with each letter in the other case. */
export function swapCase(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('')
}
