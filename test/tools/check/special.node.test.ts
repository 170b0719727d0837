import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { createTransport } from '../../../src/tools/cli/transport/transport.ts'
import { endpoint, HEADERS, json, payload } from '../../fixtures/endpoints/reference.ts'
import { listen } from '../../helpers/listen.ts'

const { fetch } = createTransport()

type Results = Awaited<ReturnType<typeof check>>['results']

const broken = (results: Results) =>
  results.filter(({ status }) => status === 'fail' || status === 'warn').map(({ rule }) => rule)

it.each<[string, object, string]>([
  ['a misspelled option', { sample: 1 }, 'there is no option "sample". Did you mean samples?'],
  ['no samples', { samples: 0 }, 'samples must be an integer from 1 to 50.'],
  ['a timeout of 0', { timeoutMs: 0 }, 'timeoutMs must be an integer from 1 to'],
  ['an unknown profile', { profile: 'all' }, "profile must be 'full' or 'production'."],
  ['expectAuth without headers', { expectAuth: true }, 'expectAuth requires the custom headers'],
])('rejects %s before it sends a request', async (_name, options, message) => {
  const checking = check({ fetch: () => expect.unreachable() }, options)
  await expect(checking).rejects.toThrow(message)
  await expect(checking).rejects.toMatchObject({ code: 'invalid_options' })
})

describe('rules whose broken endpoint is more than a handler', () => {
  it('reachable: nothing listens on the port', async () => {
    const report = await check('http://127.0.0.1:1/', { headers: HEADERS, fetch })
    expect(broken(report.results)).toEqual(['reachable'])
    expect(report.unreachable).toBe(true)
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(3)
    expect(report.requests).toBe(2)
  })

  it('reachable: the name does not resolve', async () => {
    const report = await check('http://endpoint.invalid/', { fetch })
    expect(broken(report.results)).toEqual(['reachable'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(3)
  })

  it('reachable-tls: the port does not speak TLS', async () => {
    const url = await listen(endpoint())
    const report = await check(url.replace('http:', 'https:'), { headers: HEADERS, fetch })
    expect(broken(report.results)).toEqual(['reachable-tls'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })

  it('errors-survive: an invalid request ends the process', async () => {
    let dead = false
    const inner = endpoint({
      other({ request }) {
        dead = true
        request.socket.destroy()
      },
    })
    const url = await listen((request, response) => {
      if (dead) request.socket.destroy()
      else inner(request, response)
    })
    const report = await check(url, { headers: HEADERS, fetch })
    expect(broken(report.results)).toContain('errors-survive')
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })

  it('auth-none: no header is required', async () => {
    const report = await check(await listen(endpoint({ authorized: () => true })), { fetch })
    expect(broken(report.results)).toEqual(['auth-none'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
  })

  it('security-https: a public name over http', async () => {
    const url = await listen(endpoint())
    const elsewhere = (request: Request) =>
      fetch(new Request(request.url.replace('http://widget.acme-corp.com/', url), request))
    const report = await check('http://widget.acme-corp.com/', {
      headers: HEADERS,
      fetch: elsewhere,
    })
    expect(broken(report.results)).toEqual(['security-https'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
  })

  it('latency-slow: half of the timeout has passed', async () => {
    let clock = 0
    const target = {
      fetch(request: Request) {
        const params = new URL(request.url).searchParams
        if (request.headers.get('x-key') !== HEADERS['x-key'])
          return new Response('no', { status: 401 })
        clock += 3_000
        const headers = { 'x-content-type-options': 'nosniff' }
        if (params.get('code')) return Response.json({ code: params.get('code') }, { headers })
        return params.get('request_type') === 'fetch_data'
          ? Response.json({ version: '1.0.0', header: { title: 'T' }, components: [] }, { headers })
          : Response.json({}, { status: 400 })
      },
    }
    const report = await check(target, { headers: HEADERS, now: () => clock })
    expect(broken(report.results)).toEqual(['latency-slow'])
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
  })
})

describe('a check', () => {
  it('uses the given IDs, and does not count made-up customers as samples', async () => {
    const url = await listen(
      endpoint({
        data: (received) =>
          json(received, payload(received), {
            status: received.params.get('account_id') === 'acme' ? 200 : 404,
          }),
      }),
    )
    const options = { headers: HEADERS, fetch, only: ['data', 'security-isolation'] }
    const known = await check(url, { ...options, customers: [{ ids: { account_id: 'acme' } }] })
    expect(broken(known.results)).toEqual(['data-unknown'])
    expect(known.summary.fail).toBe(0)
    const unknown = await check(url, options)
    expect(broken(unknown.results)).toEqual(['data-status'])
    expect(unknown.results.flatMap(({ findings }) => findings)[0]?.fix).toContain(
      'use IDs that the endpoint knows',
    )
  })

  it('sends GET requests only, with the custom headers, to the given URL only', async () => {
    const seen = new Set<string>()
    const inner = endpoint()
    const url = await listen((request, response) => {
      seen.add(`${request.method} ${request.url?.split('?')[0]}`)
      inner(request, response)
    })
    await check(`${url}a/b?tenant=7`, { headers: HEADERS, fetch })
    expect([...seen]).toEqual(['GET /a/b'])
  })

  it('keeps secrets of the URL out of the report', async () => {
    const report = await check(`${await listen(endpoint())}w?token=hunter2`, {
      headers: HEADERS,
      fetch,
    })
    expect(JSON.stringify(report)).not.toMatch(/hunter2|sekret/)
    expect(report.target).toMatch(/\/w\?token=…$/)
  })

  it.each<[unknown, string]>([
    [{ expectauth: true }, 'check: there is no option "expectauth". Did you mean expectAuth?'],
    [
      { customers: [{ ids: { acount_id: 'acme' } }] },
      'check: there is no ID "customers[0].ids.acount_id". Did you mean account_id?',
    ],
    [
      { customers: [{ ids: {} }, { ids: { account_id: 7 } }] },
      'check: customers[1].ids.account_id must be a string.',
    ],
    [{ only: 'handshake' }, 'check: only must be an array of rules or groups.'],
  ])('rejects the options %j before any request', async (options, message) => {
    let requests = 0
    const target = { fetch: () => Response.json({ requests: (requests += 1) }) }
    await expect(check(target, options as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message,
    })
    expect(requests).toBe(0)
  })

  it('stops early if every response hangs', async () => {
    let requests = 0
    const url = await listen(() => (requests += 1))
    const report = await check(url, { headers: HEADERS, fetch, timeoutMs: 60 })
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
    expect(requests).toBeLessThanOrEqual(4)
  })
})
