import { describe, expect, it } from 'vitest'
import { checkInProcess } from './in-process.ts'
import type { Parts } from './in-process.ts'

const PURPOSES =
  'accept accept-charset accept-signature content-type content-md5-key user-agent host origin referer cache-control traceparent tracestate x-tenant x-organization-id x-org x-account customer-number x-workspace x-region locale x-lang api-version x-stage environment x-env x-trace-id x-requestid request-id x-correlation-id'.split(
    ' ',
  )

const SECRETS =
  'authorization x-key x-secret x-token x-passphrase x-signature x-credential cookie x-session x-jwt x-bearer'.split(
    ' ',
  )

describe('requests without the right secret', () => {
  /** Returns the values of these headers in the data fetches of an unauthenticated caller. */
  async function sent(headers: Record<string, string>, accepts: (headers: Headers) => boolean) {
    const values: Array<Record<string, string>> = []
    const parts: Parts = {
      authorized: ({ request, params }) => {
        const isGiven = ([name]: [string, string]) => name in headers || name === 'x-forwarded-for'
        const given = Object.fromEntries([...request.headers].filter(isGiven))
        const isRight = Object.entries(headers).every(([name, value]) => given[name] === value)
        // Without any header, the customer is named in each way.
        const isNamed = params.has('account_id') && params.has('issue_id')
        // Requests that the service never sends have the same values.
        const { authorization = '', cookie = '', ...rest } = Object.fromEntries(request.headers)
        const isUsual =
          !/sidecard-check/.test(authorization + cookie) &&
          !('x-http-method-override' in rest) &&
          !params.has('debug') &&
          request.url.includes('fetch_data') &&
          params.getAll('request_type').length === 1
        const isFetch = params.get('request_type') === 'fetch_data'
        if (!isRight && isFetch && isNamed && isUsual) values.push(given)
        return accepts(request.headers)
      },
    }
    await checkInProcess(parts, { headers, randomToken: () => 'Made-Up-Token' })
    return values
  }

  const exactly = (headers: Record<string, string>) => (given: Headers) =>
    Object.entries(headers).every(([name, value]) => given.get(name) === value)
  const base64 = (text: string) => `Basic ${btoa(text)}`

  it.each<
    readonly [string, Record<string, string>, ReadonlyArray<Record<string, string> | string>]
  >([
    [
      'a value',
      { 'x-key': 'Secret-1' },
      [
        {},
        { 'x-key': '' },
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-key': 'Made-Up-Token' },
        'xecret-1',
        'ecret-1',
        'xSecret-1',
        'Secrxt-1',
        'Secrt-1',
        'Secrxet-1',
        'Secret-x',
        'Secret-',
        'Secret-1x',
        'Secr',
        'et-1',
        'sECRET-1',
        'Made-Up-Token\u00E9',
        "' OR '1'='1",
        '%',
        '*',
        '.*',
        '1-terceS',
        'Made-Up-Token'.repeat(300),
        'changeme',
        { 'x-key': '\u00A0Secret-1\u00A0' },
        { 'x-key': '\u00C2\u00A0Secret-1\u00C2\u00A0' },
      ],
    ],
    [
      'a token with a scheme',
      { authorization: 'Bearer  t0ken' },
      [
        {},
        { authorization: '' },
        { authorization: 'Bearer Made-Up-Token' },
        { authorization: 'Bearer t0kenx' },
        { authorization: 'Bearer t0ke' },
        { authorization: 'Bearer T0KEN' },
        { authorization: 'Bearer \u00A0t0ken\u00A0' },
        { authorization: 'Bearer \u00C2\u00A0t0ken\u00C2\u00A0' },
      ],
    ],
    [
      'a password',
      { authorization: base64('user:pa:ss') },
      [
        {},
        { authorization: '' },
        { authorization: base64('user:Made-Up-Token') },
        { authorization: base64('user:pa:ssx') },
        { authorization: base64('user:pa:s') },
        { authorization: base64('user:PA:SS') },
        { authorization: 'Basic dXNlcjrCoHBhOnNzwqA=' },
        { authorization: 'Basic dXNlcjrDgsKgcGE6c3PDgsKg' },
      ],
    ],
    [
      'a cookie, whose blanks servers may trim',
      { cookie: 'flag; theme=; session=Ab1' },
      [
        {},
        { cookie: '' },
        { cookie: 'flag; theme=; session=Made-Up-Token' },
        { cookie: 'flag; theme=; session=Ab1x' },
        { cookie: 'flag; theme=; session=Ab' },
        { cookie: 'flag; theme=; session=aB1' },
      ],
    ],
    [
      'a value of one digit, which has no shorter form and no other letter case',
      { 'x-key': '7' },
      [
        {},
        { 'x-key': '' },
        { 'x-key': 'Made-Up-Token' },
        { 'x-key': '7x' },
        { 'x-key': '\u00A07\u00A0' },
        { 'x-key': '\u00C2\u00A07\u00C2\u00A0' },
      ],
    ],
  ])('change %s', async (name, headers, expected) => {
    const values = await sent(headers, exactly(headers))
    const all = expected.map((each) => (typeof each === 'string' ? { 'x-key': each } : each))
    expect(values).toEqual(expect.arrayContaining(all))
    // The first row lists every value.
    expect(name !== 'a value' || values.length === all.length).toBe(true)
    expect(new Set(values.map((each) => JSON.stringify(each))).size).toBe(values.length)
  })

  it('change each of two required headers alone', async () => {
    const headers = { 'x-key': 'Secret-1', 'x-token': 'Secret-2' }
    const values = await sent(headers, exactly(headers))
    expect(values.slice(0, 5)).toEqual([
      {},
      { 'x-key': '', 'x-token': '' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-token': 'Secret-2' },
      { 'x-key': 'Secret-1' },
    ])
    const rest = values.slice(5)
    const half = rest.length / 2
    expect(rest.slice(0, half).every((given) => given['x-token'] === 'Secret-2')).toBe(true)
    expect(rest.slice(half).every((given) => given['x-key'] === 'Secret-1')).toBe(true)
    expect(rest.slice(0, half)).toContainEqual({ 'x-key': 'sECRET-1', 'x-token': 'Secret-2' })
    expect(rest.slice(half)).toContainEqual({ 'x-key': 'Secret-1', 'x-token': 'sECRET-2' })
  })

  it('change all headers at once if the endpoint accepts either of them', async () => {
    const headers = { 'x-key': 'Secret-1', 'x-token': 'Secret-2' }
    const either = (given: Headers) =>
      given.get('x-key') === 'Secret-1' || given.get('x-token') === 'Secret-2'
    const values = await sent(headers, either)
    expect(values).toContainEqual({ 'x-key': 'sECRET-1', 'x-token': 'sECRET-2' })
    const changed = values.filter((each) => each['x-key'] && each['x-token'])
    expect(changed.every((each) => each['x-key'] !== 'Secret-1')).toBe(true)
    expect(changed.every((each) => each['x-token'] !== 'Secret-2')).toBe(true)
  })

  it.each<readonly [string, Record<string, string>, readonly string[]]>([
    ['by its name', { 'X-Api-Key': 'abc', accept: 'text/html' }, ['X-Api-Key']],
    ['by its value', { 'x-client': 'abcdefghijklmno1', 'x-team': 'blue' }, ['x-client']],
    [
      'by its value, which is too short',
      { 'x-client': 'abcdefghijklmn1', 'x-team': 'blue' },
      ['x-client', 'x-team'],
    ],
    [
      'by its value, which has no digit',
      { 'x-client': 'abcdefghijklmnop', 'x-team': 'blue' },
      ['x-client', 'x-team'],
    ],
    [
      'by its value, which has no letter',
      { 'x-client': '1234567890123456', 'x-team': 'blue' },
      ['x-client', 'x-team'],
    ],
    [
      'as the only one without another purpose',
      { 'x-team': 'blue', 'x-tenant': 'acme', 'content-language': 'de', Origin: 'x' },
      ['x-team'],
    ],
    [
      'by its name, although it names a tenant',
      { 'x-tenant-token': 'abc', 'x-team': 'blue' },
      ['x-tenant-token'],
    ],
    [
      'among headers with another purpose',
      {
        ...Object.fromEntries(PURPOSES.map((name) => [name, 'abc'])),
        'x-accept': 'abc',
      },
      ['x-accept'],
    ],
    [
      'by each of these names',
      { ...Object.fromEntries(SECRETS.map((name) => [name, 'abc'])), 'x-team': 'blue' },
      SECRETS,
    ],
    ['by none of them', { 'x-tenant': 'abcdefghijklmno1', 'accept-language': 'de' }, []],
  ])('change the secret header, which is recognized %s', async (_name, headers, names) => {
    const seen = new Set<string>()
    const parts: Parts = {
      authorized({ request }) {
        for (const [name, value] of Object.entries(headers)) {
          if (request.headers.get(name) !== value) seen.add(name)
        }
        return exactly(headers)(request.headers)
      },
    }
    await checkInProcess(parts, { headers })
    expect([...seen]).toEqual(names)
  })
})
