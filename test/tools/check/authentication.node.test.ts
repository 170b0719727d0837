import { describe, expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { endpoint, HEADERS } from '../../fixtures/endpoints/reference.ts'
import type { ReceivedRequest } from '../../fixtures/endpoints/reference.ts'
import { checkParts, redRules } from '../../farm/farm.ts'
import {
  find,
  full,
  json,
  LUMEN,
  named,
  NORTHWIND,
  type Parts,
  type Received,
  respond,
  unknown,
} from '../../farm/seed.ts'
import { OVERLOOKED } from '../../farm/seeds-access.ts'
import { brokenRules, checkAsCommand, findResult, serveInProcess } from './helpers.ts'

type Headers = Record<string, string>

const sentSecret = ({ request }: Received) => request.headers.get('x-key') ?? ''

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** Serves an endpoint that authenticates requests with `accepts`. */
const guarded = (accepts: (headers: Headers) => boolean) =>
  serveInProcess(
    endpoint({ authorized: ({ request }: ReceivedRequest) => accepts(request.headers as Headers) }),
  )

const messages = (report: Awaited<ReturnType<typeof checkAsCommand>>) =>
  report.results
    .filter(({ group }) => group === 'authentication')
    .flatMap(({ findings }) => findings.map(({ message }) => message))

const SCHEMES: ReadonlyArray<readonly [name: string, headers: Headers]> = [
  ['Basic', { authorization: basic('widget:s3cret-Pass') }],
  ['Bearer', { authorization: 'Bearer eyJhbGciOi.Token-1' }],
  ['a cookie', { cookie: 'theme=dark; session=Abc123def456' }],
  ['two headers', { 'x-client-id': 'widget-Client', 'x-client-secret': 'hunter2-Qwertz' }],
  ['a short secret', { 'x-team': 'Hunter2' }],
]

describe.concurrent.each(SCHEMES)(
  'authentication with %s',
  { timeout: 180_000 },
  (_name, headers) => {
    const isRight = (sent: Headers) =>
      Object.entries(headers).every(([name, value]) => sent[name] === value)

    it('finds nothing if the secret is compared exactly', async () => {
      const report = await checkAsCommand(await guarded(isRight), { headers, expectAuth: true })
      expect(brokenRules(report)).toEqual([])
      expect(report.summary.fail).toBe(0)
      expect(findResult(report, 'auth-data-wrong').status).toBe('pass')
      expect(report.verdict).toBe('not_proven')
    })

    it('finds an endpoint that accepts any value', async () => {
      const url = await guarded((sent) => Object.keys(headers).every((name) => Boolean(sent[name])))
      const report = await checkAsCommand(url, { headers, expectAuth: true })
      expect(brokenRules(report)).toEqual(['auth-handshake-wrong', 'auth-data-wrong'])
      expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
    })

    it('finds an open endpoint', async () => {
      const report = await checkAsCommand(await guarded(() => true), { headers, expectAuth: true })
      expect(brokenRules(report)).toContain('auth-data-missing')
      expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
      const lenient = await checkAsCommand(await guarded(() => true), { headers })
      expect(lenient.verdict).toBe('not_proven')
      expect(exitCodeOf(lenient, { allowUnproven: true })).toBe(0)
    })
  },
)

describe.concurrent('a careless comparison', { timeout: 180_000 }, () => {
  const secret = HEADERS['x-key']
  const half = secret.length >> 1
  const CARELESS: ReadonlyArray<readonly [how: string, accepts: (value: string) => boolean]> = [
    ['with only the first half', (value) => value.length > 1 && secret.startsWith(value)],
    ['with only the second half', (value) => value.length > 1 && secret.endsWith(value)],
    ['with a wildcard', (value) => value === '*' || value === secret],
    ['with a pattern of SQL', (value) => value === '%' || value === secret],
    ['with a regular expression', (value) => value === '.*' || value === secret],
    ['with a condition of SQL', (value) => value.endsWith("' OR '1'='1") || value === secret],
    ['with a letter that is not ASCII', (value) => /[^ -~]/.test(value) || value === secret],
    ['with an added character at the end', (value) => value.startsWith(secret)],
    ['with an added character at the start', (value) => value.endsWith(secret)],
    ['in another letter case', (value) => value.toLowerCase() === secret],
    ['with another character at the start', (value) => value.slice(half) === secret.slice(half)],
    [
      'with another character at the end',
      (value) => value.slice(0, half) === secret.slice(0, half) && value.length === secret.length,
    ],
    ['with another character at the end', (value) => value.slice(3, -3) === secret.slice(3, -3)],
    [
      'with another character in the middle',
      (value) => value.at(0) === secret.at(0) && value.at(-1) === secret.at(-1) && value.length > 1,
    ],
    [
      'without a character in the middle',
      (value) => value === secret || value === secret.slice(0, half) + secret.slice(half + 1),
    ],
    [
      'with an added character in the middle',
      (value) => value.startsWith(secret.slice(0, half)) && value.endsWith(secret.slice(half)),
    ],
    ['without a character at the end', (value) => value.length > 9 && secret.startsWith(value)],
    ['without a character at the start', (value) => value.length > 9 && secret.endsWith(value)],
  ]

  // Few endpoints compare the secret of a handshake in a different way, so these are sent once.
  const redFor = (how: string) =>
    /SQL|wildcard|regular|ASCII/.test(how)
      ? ['auth-data-wrong']
      : ['auth-handshake-wrong', 'auth-data-wrong']

  it.each(CARELESS)('is found: it accepts a value %s', async (how, accepts) => {
    const report = await checkAsCommand(await guarded((sent) => accepts(sent['x-key'] ?? '')))
    expect(brokenRules(report)).toEqual(redFor(how))
    for (const message of messages(report)) {
      expect(message).toMatch(/^a (?:handshake|data fetch) with.* was accepted$|in another letter/)
      expect(message.includes(' more ') || message.includes(how)).toBe(true)
    }
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })

  it('is found although each wrong secret is sent for one customer only', async () => {
    for (const [how, accepts] of CARELESS) {
      // oxlint-disable-next-line no-await-in-loop -- each comparison is its own case
      const report = await checkParts({ authorized: (each) => accepts(sentSecret(each)) })
      expect({ how, red: redRules(report) }).toEqual({ how, red: redFor(how) })
    }
  })

  it('that trims is found, but is only a warning', async () => {
    const url = await guarded((sent) => (sent['x-key'] ?? '').trim() === secret)
    const report = await checkAsCommand(url, { expectAuth: true })
    expect(messages(report)).toEqual(['a data fetch with surrounding whitespace was accepted'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
  })

  it('of the password of Basic authentication is found', async () => {
    const url = await guarded(({ authorization = '' }) => {
      const [user, password = ''] = Buffer.from(authorization.slice(6), 'base64')
        .toString()
        .split(':')
      return user === 'widget' && password.toLowerCase() === 's3cret-pass'
    })
    const headers = { authorization: basic('widget:s3cret-Pass') }
    const report = await checkAsCommand(url, { headers })
    expect(messages(report)).toContain('a data fetch in another letter case was accepted')
  })

  it('of one of two required headers is found, and the header is named', async () => {
    const headers = { 'x-client-id': 'widget-Client', 'x-client-secret': 'hunter2-Qwertz' }
    const url = await guarded(
      (sent) =>
        sent['x-client-id'] === headers['x-client-id'] &&
        sent['x-client-secret']?.startsWith('hunter2') === true,
    )
    const report = await checkAsCommand(url, { headers })
    expect(messages(report).join('\n')).toMatch(/for x-client-secret/)
    expect(messages(report).join('\n')).not.toMatch(/for x-client-id/)
  })
})

describe.concurrent('authentication of each customer', { timeout: 180_000 }, () => {
  const isRight = (each: Received) => sentSecret(each) === HEADERS['x-key']
  const isFetch = ({ params }: Received) => params.get('request_type') === 'fetch_data'
  const OPEN: ReadonlyArray<readonly [customer: string, isOpen: (each: Received) => boolean]> = [
    ['customer 1', ({ id }) => id === NORTHWIND.id],
    ['customer 2', ({ id }) => id === LUMEN.id],
    ['made-up customer 6', (each) => isFetch(each) && find(each.id) === undefined],
  ]

  it.each(OPEN)('finds an endpoint that is open for %s only', async (customer, isOpen) => {
    const report = await checkParts({ authorized: (each) => isRight(each) || isOpen(each) })
    expect(redRules(report)).toContain('auth-data-missing')
    const [finding] = findResult(report, 'auth-data-missing').findings
    expect(finding?.message).toMatch(
      new RegExp(`^a data fetch for ${customer} without the headers(?:, .*)? was accepted$`),
    )
    expect(JSON.stringify(report.results)).not.toContain(LUMEN.id)
  })

  const types = ({ params }: Received) => params.getAll('request_type')
  it.each(Object.entries(OVERLOOKED))(
    'finds an endpoint that is open to %s',
    async (_what, isOpen) => {
      const report = await checkParts({
        authorized: (each) => isRight(each) || isOpen(each),
        other: (each) => respond(find(each.id)),
      })
      expect(redRules(report).join()).toContain('auth-data-')
    },
  )

  it.each<readonly [string, () => Parts]>([
    [
      'the cookie of a rejection',
      () => ({
        authorized: (each) => isRight(each) || each.request.headers.get('cookie') === 'sid=1',
        rejected: () => json({ error: 'unauthorized' }, 401, { 'set-cookie': 'sid=1; Path=/' }),
      }),
    ],
    [
      'the secret of a concurrent request',
      () => {
        let overwrite: (secret: string) => void = () => undefined
        return {
          authorized: () => true,
          async data(each) {
            overwrite(sentSecret(each))
            const secret = await new Promise<string>((resolve) => {
              overwrite = resolve
              setTimeout(() => resolve(sentSecret(each)), 20)
            })
            return secret === HEADERS['x-key'] ? respond(find(each.id)) : json({}, 401)
          },
        }
      },
    ],
  ])('finds an endpoint that accepts %s', async (_what, make) => {
    expect(redRules(await checkParts(make()))).toContain('auth-data-missing')
  })

  it('warns if a rejection tells whether a customer exists', async () => {
    const report = await checkParts({
      rejected: ({ id }) => json({ error: 'no' }, find(id) ? 401 : 404),
    })
    const { status, findings } = findResult(report, 'auth-rejection-data')
    expect([status, findings[0]?.message]).toEqual([
      'warn',
      'without the secret, a known customer gets 401, and an unknown one 404',
    ])
  })

  it.each<readonly [string, Parts, CheckOptions]>([
    [
      'each response renews the cookie that is the secret',
      {
        authorized: ({ request }) =>
          /^session=(?:s3cret-1|fresh)$/.test(request.headers.get('cookie') ?? ''),
        data: ({ id }) => {
          const { headers, body } = respond(find(id))
          return new Response(body, {
            headers: { ...Object.fromEntries(headers), 'set-cookie': 'session=fresh' },
          })
        },
      },
      { headers: { cookie: 'session=s3cret-1' } },
    ],
    [
      'a browser gets rejections as HTML',
      {
        rejected: ({ request }) =>
          request.headers.get('accept') === 'text/html'
            ? new Response('<h1>No</h1>', { status: 401, headers: { 'content-type': 'text/html' } })
            : json({ error: 'unauthorized' }, 401),
      },
      {},
    ],
  ])('has no findings if %s', async (_what, parts, options) => {
    const { results, verdict } = await checkParts(parts, options)
    expect(results.flatMap(({ findings }) => findings)).toEqual([])
    expect(verdict).toBe('conforms')
  })

  it('fails no endpoint that is open on purpose and rejects what the service never sends', async () => {
    const report = await checkParts(
      {
        authorized: () => true,
        data: (each) => (types(each).length > 1 ? json({}, 400) : respond(find(each.id))),
        other: (each) => (types(each).length > 1 ? respond(find(each.id)) : json({}, 400)),
      },
      { expectAuth: 'detect' },
    )
    expect(redRules(report)).toEqual([])
  })

  it('finds a connection that stays open for the second customer', async () => {
    const seen = new WeakSet<object>()
    const report = await checkParts({
      authorized(each) {
        if (isRight(each)) seen.add(each.connection)
        return isRight(each) || (each.id === LUMEN.id && seen.has(each.connection))
      },
    })
    expect(messages(report)).toEqual([
      'a data fetch for customer 2 without the headers, on a connection that had them, was accepted',
    ])
  })

  it('compares the payload with that of the same customer', async () => {
    const report = await checkParts({
      authorized: (each) => isRight(each) || each.id === LUMEN.id,
      data: ({ id }) => respond(find(id), id === LUMEN.id ? named : full),
    })
    expect(redRules(report)).toContain('auth-data-missing')
  })

  it('finds data of the second customer in a rejection', async () => {
    const report = await checkParts({
      rejected: ({ id }) => json(id === LUMEN.id ? named(LUMEN) : { error: 'unauthorized' }, 401),
    })
    expect(redRules(report)).toContain('auth-rejection-data')
  })

  it('accepts a rejection that looks like the response for an unknown customer', async () => {
    const report = await checkParts({
      rejected: (each) => (isFetch(each) ? json(unknown()) : json({ error: 'unauthorized' }, 401)),
    })
    expect(redRules(report)).toEqual([])
    expect(report.verdict).toBe('conforms')
  })
})

describe.concurrent('a header that is not a secret', { timeout: 180_000 }, () => {
  it.each<Headers>([
    { accept: 'application/json' },
    { 'x-tenant': 'acme' },
    { 'x-tenant-id': '7d9f2c1ab34e4f5c9a1b2c3d' },
    { 'accept-language': 'de' },
  ])('does not cause an authentication failure: %j', async (header) => {
    const headers = { ...HEADERS, ...header }
    const report = await checkAsCommand(await serveInProcess(endpoint()), {
      headers,
      expectAuth: true,
    })
    expect(brokenRules(report)).toEqual([])
    const alone = await checkAsCommand(await guarded(() => true), { headers: header })
    expect(brokenRules(alone)).toEqual(['auth-none'])
    expect(exitCodeOf(alone, { allowUnproven: true })).toBe(0)
    expect(alone.verdict).toBe('not_proven')
  })

  it('may be required without being treated as a secret', async () => {
    const url = await guarded(
      (sent) => sent['x-key'] === HEADERS['x-key'] && sent['x-tenant']?.toLowerCase() === 'acme',
    )
    const headers = { ...HEADERS, 'x-tenant': 'acme' }
    expect(brokenRules(await checkAsCommand(url, { headers, expectAuth: true }))).toEqual([])
  })

  it('does not satisfy --expect-auth', async () => {
    const report = await checkAsCommand(await guarded(() => true), {
      headers: { accept: 'application/json' },
      expectAuth: true,
    })
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })
})

describe.concurrent(
  'an endpoint that accepts either of two credentials',
  { timeout: 180_000 },
  () => {
    it('is not open', async () => {
      const headers = { authorization: 'Bearer token-One-1', cookie: 'session=two-Two-2222' }
      const url = await guarded(
        (sent) =>
          sent['authorization'] === headers.authorization || sent['cookie'] === headers.cookie,
      )
      const report = await checkAsCommand(url, { headers, expectAuth: true })
      expect(brokenRules(report)).toEqual([])
    })
  },
)
