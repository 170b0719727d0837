import { describe, expect, it } from 'vitest'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkInProcess, dataWith, findingLines, findResult, json, payload } from './in-process.ts'
import type { FindingRow, Parts, Received } from './in-process.ts'

const key = ({ request }: Received) => request.headers.get('x-key') ?? ''
const isOwner = (received: Received) => key(received) === HEADERS['x-key']
const isHandshake = ({ params }: Received) => params.get('request_type') === 'verify'
const page = (status: number) =>
  new Response('<h1>', { status, headers: { 'content-type': 'Text/HTML; a=b' } })

const BLANKS = 'with surrounding whitespace'
const WRONG =
  'with a wrong value, with another character at the start, without a character at the start and 10 more'
const WRONG_DATA = WRONG.replace('10', '20')
const MISSING = 'without the headers, with empty headers, that claims to come from the same machine'
const MISSING_DATA =
  'without the headers, with only the issue_id without the headers, with only the organization_id without the headers and 5 more'

const ROWS: Readonly<Record<string, readonly FindingRow[]>> = {
  'invalid requests': [
    [
      'treats every request as a data fetch',
      () => ({ other: (received) => json(payload(received)) }),
      [
        'warn | errors-request-type | request without a request_type: returned a success status',
        'warn | errors-request-type | request with an unknown request_type: returned a success status',
        'warn | errors-code-empty | handshake without a code: returned a success status',
        'warn | errors-code-empty | handshake with an empty code: returned a success status',
      ],
    ],
    [
      'returns the highest success status for one and the lowest redirect for another',
      () => ({
        other: ({ params }) => json('{}', params.get('request_type') === 'verify' ? 300 : 299),
      }),
      [
        'warn | errors-request-type | request without a request_type: returned a success status',
        'warn | errors-request-type | request with an unknown request_type: returned a success status',
      ],
    ],
    [
      'fails with a page',
      () => ({ other: ({ params }) => (params.has('code') ? page(500) : page(499)) }),
      [
        'warn | errors-server | handshake with an empty code: returned 500',
        'warn | errors-html | request without a request_type, request with an unknown request_type, handshake without a code and 2 more: returned HTML',
      ],
    ],
    ['returns a page with a status that is no error', () => ({ other: () => page(399) }), []],
    [
      'throws',
      () => ({
        other: () => {
          throw new RangeError('no code')
        },
      }),
      [
        'request without a request_type',
        'request with an unknown request_type',
        'handshake without a code',
        'handshake with an empty code',
      ].map(
        (name) =>
          `warn | errors-server | ${name}: failed: the app threw instead of returning a response (it threw RangeError)`,
      ),
    ],
  ],
  authentication: [
    [
      'accepts every request',
      () => ({ authorized: () => true }),
      [
        `warn | auth-handshake-missing | a handshake ${MISSING} was accepted`,
        `warn | auth-handshake-wrong | a handshake ${WRONG} was accepted`,
        `warn | auth-data-missing | a data fetch ${MISSING_DATA} was accepted`,
        `warn | auth-data-wrong | a data fetch ${WRONG_DATA} was accepted`,
      ],
    ],
    [
      'accepts every request although it must not',
      () => ({ authorized: () => true }),
      [
        `fail | auth-handshake-missing | a handshake ${MISSING} was accepted`,
        `fail | auth-handshake-wrong | a handshake ${WRONG} was accepted`,
        `fail | auth-data-missing | a data fetch ${MISSING_DATA} was accepted`,
        `fail | auth-data-wrong | a data fetch ${WRONG_DATA} was accepted`,
      ],
      { expectAuth: true },
    ],
    [
      'accepts every handshake',
      () => ({ authorized: (received) => isHandshake(received) || isOwner(received) }),
      [
        `fail | auth-handshake-missing | a handshake ${MISSING} was accepted`,
        `fail | auth-handshake-wrong | a handshake ${WRONG} was accepted`,
      ],
    ],
    [
      'accepts every handshake, which it may',
      () => ({ authorized: (received) => isHandshake(received) || isOwner(received) }),
      [
        `warn | auth-handshake-missing | a handshake ${MISSING} was accepted`,
        `warn | auth-handshake-wrong | a handshake ${WRONG} was accepted`,
      ],
      { expectAuth: false },
    ],
    [
      'accepts data fetches with blanks around the secret',
      () => ({
        authorized: (received) =>
          isOwner(received) ||
          (!isHandshake(received) &&
            /sekret-0f9d2c71.$/.test(key(received)) &&
            !key(received).endsWith('x')),
      }),
      [`warn | auth-data-wrong | a data fetch ${BLANKS} was accepted`],
      { expectAuth: true },
    ],
    [
      'accepts data fetches with blanks and other letters',
      () => ({
        authorized: (received) =>
          isOwner(received) ||
          (!isHandshake(received) &&
            key(received).replaceAll('\u00A0', '').toLowerCase() === HEADERS['x-key']),
      }),
      [`fail | auth-data-wrong | a data fetch in another letter case, ${BLANKS} was accepted`],
    ],
    [
      'says in the widget that a caller is not authorized',
      () => ({
        authorized: () => true,
        verify: (received) => (isOwner(received) ? json({ code: received.code }) : json({}, 401)),
        data: (received) => json(payload(received, isOwner(received) ? [] : [{ type: 'divider' }])),
      }),
      [],
    ],
    [
      'breaks the connection for unauthenticated data fetches',
      () => ({
        authorized: () => true,
        data: (received) => {
          if (!isOwner(received)) throw new Error('no')
          return json(payload(received))
        },
      }),
      [
        `warn | auth-handshake-missing | a handshake ${MISSING} was accepted`,
        `warn | auth-handshake-wrong | a handshake ${WRONG} was accepted`,
      ],
    ],
    [
      'needs no secret',
      () => ({ authorized: () => true }),
      ['warn | auth-none | data was returned without a secret'],
      { headers: {} },
    ],
  ],
  security: [
    [
      'shows the secret',
      () => ({
        data: (received) =>
          json(payload(received, [{ type: 'text', label: 'L', value: key(received) }])),
      }),
      [
        'fail | security-header-echo | components[1].value | data fetch 1: the response contains the value of "x-key"',
      ],
    ],
    [
      'shows unknown headers',
      () => ({
        other: ({ request }) => json({ a: [{ b: request.headers.get('x-sidecard-check') }] }, 400),
      }),
      [
        'fail | security-header-echo | a[0].b | request without a request_type, with an extra header: the response contains the value of that header',
      ],
    ],
    [
      'shows a wrong secret',
      () => ({
        authorized: () => true,
        data: (received) =>
          isOwner(received)
            ? json(payload(received))
            : json(
                '{}',
                401,
                key(received).startsWith('tok') ? { 'x-rejected': key(received) } : {},
              ),
        verify: (received) => json({ code: received.code }, isOwner(received) ? 200 : 401),
      }),
      [
        'fail | security-header-echo | header x-rejected | data fetch with a wrong value: the response contains the rejected value',
      ],
    ],
    [
      'returns the first payload again',
      () => {
        let kept: unknown
        return { data: (received) => json((kept ??= payload(received))) }
      },
      [
        'fail | security-isolation | data fetch for made-up customer 1: contains an ID from another request',
      ],
    ],
    [
      'allows pages to read responses',
      () => ({ data: dataWith({ 'access-control-allow-origin': '*' }) }),
      [
        'warn | security-cors | Access-Control-Allow-Origin is "*" (data fetch 1, data fetch 2, data fetch 3 and 6 more)',
      ],
    ],
    [
      'does not disable sniffing in the first handshake',
      () => ({
        verify: ({ code, count }) =>
          json({ code }, 200, { 'x-content-type-options': count === 1 ? 'sniff' : ' NoSniff ' }),
      }),
      ['warn | security-nosniff | X-Content-Type-Options is not nosniff (handshake 1)'],
    ],
    ...['public', 'MAX-AGE=60', 's-maxage = 0', 'max-age="9"'].map((value): FindingRow => [
      `allows shared caches with ${value}`,
      () => ({
        data: dataWith({ 'cache-control': value }),
        verify: ({ code }) => json({ code }, 200, { 'cache-control': value }),
      }),
      [`warn | security-cache | Cache-Control is "${value}"`],
    ]),
    ...[
      ['cdn-cache-control', 'max-age=60'],
      ['cloudflare-cdn-cache-control', 'public'],
      ['vercel-cdn-cache-control', 's-maxage=60'],
      ['surrogate-control', 'max-age=60'],
      ['edge-control', 'cache-maxage=1d'],
      ['x-accel-expires', '60'],
      ['age', '12'],
      ['cf-cache-status', 'HIT'],
      ['x-cache', 'Hit from cloudfront'],
    ].map(([name = '', value = '']): FindingRow => [
      `allows shared caches with ${name}`,
      () => ({
        data: dataWith({ [name]: value }),
        verify: ({ code }) => json({ code }, 200, { [name]: value }),
      }),
      [`warn | security-cache | ${name} is "${value}"`],
    ]),
    ...[
      ['cdn-cache-control', 'no-store'],
      ['surrogate-control', 'max-age=0'],
      ['x-accel-expires', '0'],
      ['age', '0'],
      ['x-cache', 'Miss from cloudfront'],
    ].map(([name = '', value = '']): FindingRow => [
      `does not allow shared caches with ${name} of ${value}`,
      () => ({ data: dataWith({ [name]: value }) }),
      [],
    ]),
    ...['', 'max-age=0', 'public, no-store', 'Private, max-age=60', 'republican'].map(
      (value): FindingRow => [
        `does not allow shared caches with "${value}"`,
        () => ({ data: dataWith({ 'cache-control': value }) }),
        [],
      ],
    ),
  ],
}

describe.for(Object.entries(ROWS))('the findings about %s: the endpoint', ([, rows]) => {
  it.for<FindingRow>(rows)('%s', async ([, make, findings, options = {}]) => {
    expect(findingLines(await checkInProcess(make(), options))).toEqual(findings)
  })
})

describe('the fix of a finding', () => {
  const rejected = (names: string) =>
    `The endpoint rejected the value of ${names}. Compare it with the complete secret in the endpoint’s configuration.`
  const status = (code: number): Parts => ({
    authorized: () => true,
    verify: () => json({}, code),
  })

  it.each<readonly [string, string, Parts, Record<string, string>, string]>([
    [
      'a 401 without a header',
      'handshake-status',
      status(401),
      { accept: '*/*' },
      'Send the custom header that the endpoint requires, such as x-sidecard-secret.',
    ],
    ['a 401 with a header', 'handshake-status', status(401), HEADERS, rejected('"x-key"')],
    [
      'a 403 with two headers',
      'handshake-status',
      status(403),
      { 'x-token': 'a', 'x-secret': 'b', accept: '*/*' },
      rejected('"x-token", "x-secret"'),
    ],
    [
      'another status',
      'handshake-status',
      status(402),
      HEADERS,
      'Return 200 to GET requests with request_type=verify. If the URL is wrong, correct its path: some servers require or forbid a trailing slash.',
    ],
    [
      'blanks that are removed',
      'auth-data-wrong',
      {
        authorized: (received) => key(received).replaceAll('\u00A0', '') === HEADERS['x-key'],
      },
      HEADERS,
      'Compare the value without trimming.',
    ],
    [
      'an unknown field',
      'unknown-fields',
      {
        authorized: () => true,
        data: (received) => json({ ...payload(received), verison: '' }),
      },
      HEADERS,
      'Rename it to "version".',
    ],
  ])('fits %s', async (_name, rule, parts, headers, fix) => {
    const report = await checkInProcess(parts, { headers })
    expect(findResult(report, rule).findings.map((finding) => finding.fix)).toEqual([fix])
  })
})
