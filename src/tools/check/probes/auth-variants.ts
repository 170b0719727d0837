import { mapSecret } from '../../service/endpoint/credentials.ts'
import { fetchDataQuery } from '../../service/endpoint/query.ts'
import type { FetchDataIds, Query } from '../../service/endpoint/query.ts'
import { isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
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

const LOCAL = { 'x-forwarded-for': '127.0.0.1', 'user-agent': 'kube-probe/1.31' }
const SIGNED_IN = { cookie: 'session=sidecard-check', authorization: 'Bearer sidecard-check' }
const UNKNOWN_TYPE = ['request_type', 'sidecard_check'] as const

/**
 * Creates variants without credentials: without all of them, without each one, with
 * empty values, from an address that careless endpoints trust, and in ways that their
 * authentication overlooks.
 */
export function missingVariants(
  headers: Headers,
  credentials: readonly string[],
): readonly AuthVariant[] {
  const without = (names: readonly string[], sent = headers) =>
    Object.fromEntries(
      Object.entries(sent).filter(([name]) => !names.some((each) => isSameName(each, name))),
    )
  const empty = Object.fromEntries(credentials.map((name) => [name, '']))
  const others = without(credentials)
  const unusual = (description: string, variant: Partial<AuthVariant>): AuthVariant => ({
    ...missing(`${WITHOUT}, ${description}`, others),
    kind: 'unusual',
    isDataOnly: true,
    ...variant,
  })
  return [
    missing(WITHOUT, others),
    missing('with empty headers', { ...headers, ...empty }),
    missing('that claims to come from the same machine', { ...LOCAL, ...others }),
    unusual('with a different kind of credentials', {
      headers: without(credentials, { ...SIGNED_IN, ...headers }),
    }),
    unusual('that claims a different method', {
      headers: { 'x-http-method-override': 'POST', ...others },
    }),
    unusual('after an unknown request_type', {
      query: (ids) => [UNKNOWN_TYPE, ...fetchDataQuery(ids)],
    }),
    unusual('before an unknown request_type', {
      query: (ids) => [...fetchDataQuery(ids), UNKNOWN_TYPE, ['debug', '1']],
    }),
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
  const another = (character: string) => (/[w-z]/i.test(character) ? 'k' : 'x')
  return [
    ['wrong', `with another character ${place}`, change(1, another)],
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
    ['blanks', 'with surrounding whitespace', surround('\u00A0')],
    ['blanks', 'with surrounding whitespace in UTF-8', surround('\u00C2\u00A0')],
  ] as const
  const changes = [
    ['wrong', 'with a wrong value', () => random()],
    ...CHANGES_AT_PLACES,
    ['wrong', 'with only the first half', (secret: string) => secret.slice(0, half(secret))],
    ['wrong', 'with only the second half', (secret: string) => secret.slice(half(secret))],
    ['wrong', 'in another letter case', swapCase],
    ...forData,
  ] as const
  const sent = new Set<string>()
  return changes.flatMap(([kind, description, change]) => {
    // The cookie specification lets servers trim cookie values.
    if (kind === 'blanks' && names.some((name) => name.toLowerCase() === 'cookie')) return []
    const entries = names.map((name) => {
      const value = headers[name] ?? ''
      return { name, value, changed: mapSecret(name, value, change) }
    })
    const values = entries.map(({ changed }) => changed)
    const isSent = sent.size === sent.add(JSON.stringify(values)).size
    if (isSent || entries.some(({ value, changed }) => changed === value || changed === ''))
      return []
    return [
      {
        description: `${description}${suffix}`,
        kind,
        isDataOnly: forData.some(([, name]) => name === description),
        headers: {
          ...headers,
          ...Object.fromEntries(entries.map(({ name, changed }) => [name, changed])),
        },
        values,
      },
    ]
  })
}

/** Returns a variant that names the customer, unless the check has only one with made-up IDs. */
export function variantFor(customer: Customer, variant: AuthVariant, naming = ''): AuthVariant {
  if (customer.name === 'customer 1' && !isPassed(customer)) {
    return { ...variant, description: `${naming} ${variant.description}`.trim() }
  }
  return { ...variant, description: `for ${customer.name}${naming} ${variant.description}` }
}

function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** Surrounds a secret with no-break spaces, because HTTP removes ordinary blanks around a value. */
function surround(blank: string): (secret: string) => string {
  return (secret) => `${blank}${secret}${blank}`
}

/** Returns a text with each letter in the other case. */
export function swapCase(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('')
}
