import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../src/check/report.ts'
import { endpoint, HEADERS } from '../fixtures/endpoints/reference.ts'
import type { ReceivedRequest } from '../fixtures/endpoints/reference.ts'
import { brokenRules, checkAsCommand, findResult, serveInProcess } from './helpers.ts'

type Headers = Record<string, string>

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

describe.concurrent.each(SCHEMES)('authentication with %s', (_name, headers) => {
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
})

describe.concurrent('a careless comparison', () => {
  const secret = HEADERS['x-key']
  const CARELESS: ReadonlyArray<readonly [how: string, accepts: (value: string) => boolean]> = [
    ['without the last character', (value) => value.length > 0 && secret.startsWith(value)],
    ['with an appended character', (value) => value.startsWith(secret)],
    ['in another letter case', (value) => value.toLowerCase() === secret],
  ]

  it.each(CARELESS)('is found: %s', async (how, accepts) => {
    const report = await checkAsCommand(await guarded((sent) => accepts(sent['x-key'] ?? '')))
    expect(messages(report)).toEqual([
      `a handshake ${how} was accepted`,
      `a data fetch ${how} was accepted`,
    ])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })

  it('that trims is found, but is only a warning', async () => {
    const url = await guarded((sent) => (sent['x-key'] ?? '').trim() === secret)
    const report = await checkAsCommand(url, { expectAuth: true })
    expect(messages(report)).toEqual([
      'a handshake with surrounding whitespace was accepted',
      'a data fetch with surrounding whitespace was accepted',
    ])
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

describe.concurrent('a header that is not a secret', () => {
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

describe.concurrent('an endpoint that accepts either of two credentials', () => {
  it('is not open', async () => {
    const headers = { authorization: 'Bearer token-One-1', cookie: 'session=two-Two-2222' }
    const url = await guarded(
      (sent) =>
        sent['authorization'] === headers.authorization || sent['cookie'] === headers.cookie,
    )
    const report = await checkAsCommand(url, { headers, expectAuth: true })
    expect(brokenRules(report)).toEqual([])
  })
})
