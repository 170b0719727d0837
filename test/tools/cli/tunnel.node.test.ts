import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type LiveRequest, startTunnelProxy } from '../../../src/tools/cli/tunnel/tunnel-proxy.ts'
import { eventually } from '../../helpers/eventually.ts'
import { exchange } from '../../helpers/raw-http.ts'
import { FETCH_DATA, PAYLOAD, startEndpoint } from './tunnel-endpoint.ts'

async function startProxy(options: Partial<Parameters<typeof startTunnelProxy>[0]> = {}) {
  const { url, received } = await startEndpoint()
  const live: LiveRequest[] = []
  const proxy = await startTunnelProxy({
    port: 0,
    endpoint: url,
    fetch,
    headers: () => ({}),
    onRequest: (request) => live.push(request),
    ...options,
  })
  onTestFinished(() => proxy.close())
  return { proxy: new URL(proxy.url), received, live, base: new URL(proxy.url).origin }
}

const NOT_FOUND = {
  status: 404,
  code: 'not_found',
  title: 'Not Found',
  detail: 'Unknown path.',
}
const NOT_ALLOWED = {
  status: 405,
  code: 'method_not_allowed',
  title: 'Method Not Allowed',
  detail: 'Use GET.',
}
const CHANGED = {
  status: 400,
  code: 'changed_parameter',
  title: 'Bad Request',
  detail: "The endpoint's own query has another value.",
}

describe('the tunnel port', () => {
  test('forwards the requests of the service unchanged', async () => {
    const { proxy, received, live } = await startProxy()
    const headers = { 'x-sidecard-secret': 'canary', authorization: 'Bearer t', 'x-custom': '1' }
    const response = await fetch(`${proxy}${FETCH_DATA}`, { headers })
    expect(await response.text()).toBe(PAYLOAD)
    expect(received[0]?.url).toBe(`/widget?tenant=acme${FETCH_DATA}`)
    expect(received[0]?.headers).toMatchObject({ ...headers, host: expect.stringMatching(/^127/) })
    expect(live).toHaveLength(1)
    expect(live[0]).toMatchObject({
      response: { status: 200, headers: { 'x-sidecard-trace': 'abc' } },
    })
    expect(Buffer.from(live[0]?.response?.body ?? []).toString()).toBe(PAYLOAD)
    expect(JSON.stringify(live)).not.toContain('canary')
    expect(live[0]).not.toHaveProperty('abortedAfterMs')
  })

  test('records the names of all request headers, in the order received', async () => {
    const { proxy, live } = await startProxy()
    const lines = ['Host: tunnel.example', 'X-B: 1', 'Accept: */*', 'x-b: 2', 'Connection: close']
    for (const path of [`${proxy.pathname}${proxy.search}`, '/unknown']) {
      // oxlint-disable-next-line no-await-in-loop -- the order of the requests is the order of the records
      await exchange(Number(proxy.port), [`GET ${path} HTTP/1.1`, ...lines, '\r\n'].join('\r\n'))
    }
    const names = ['host', 'x-b', 'accept', 'x-b', 'connection']
    expect(live.map(({ receivedHeaderNames }) => receivedHeaderNames)).toEqual([names, names])
  })

  test.each([
    '/widget',
    '/widget?tenant=acme&request_type=verify&code=c1',
    '/widget?issue_id=7',
    '/widget?new_parameter=1',
    '/widget?Account_id=1',
  ])('forwards GET %s', async (target) => {
    const { base, received } = await startProxy()
    expect((await fetch(`${base}${target}`)).status).toBe(200)
    expect(received[0]?.url).toBe(target)
  })

  test('survives a caller that disconnects before the endpoint fails', async () => {
    const asked = Promise.withResolvers<void>()
    const failing = Promise.withResolvers<Response>()
    let isFirst = true
    const { proxy, live } = await startProxy({
      fetch: async () => {
        if (!isFirst) return new Response(PAYLOAD)
        isFirst = false
        asked.resolve()
        return failing.promise
      },
    })
    const caller = new AbortController()
    const started = performance.now()
    const first = fetch(proxy, { signal: caller.signal })
    await asked.promise
    caller.abort()
    await expect(first).rejects.toThrow('aborted')
    // The port has processed the end of the connection before it responds to a later one.
    for (let count = 0; count < 3; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await fetch(proxy)).status).toBe(200)
    }
    const elapsed = performance.now() - started
    failing.reject(new TypeError('fetch failed'))
    await eventually(() => expect(live).toHaveLength(4))
    const aborted = live.filter(({ abortedAfterMs }) => abortedAfterMs !== undefined)
    expect(aborted).toEqual([live[3]])
    expect(aborted[0]?.abortedAfterMs).toBeLessThan(elapsed)
  })

  test('removes headers for the developer, cookies, and those of one connection', async () => {
    const { proxy, received } = await startProxy()
    const headers = {
      'x-sidecard-dev': '2',
      'accept-encoding': 'gzip',
      'content-type': 'text/plain',
      te: 'trailers',
      'proxy-authorization': 'x',
      'x-own': '1',
      'host-hint': '2',
      'te-hint': '3',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const { pathname, search, port } = proxy
    const answer = await exchange(
      Number(port),
      [
        `GET ${pathname}${search}${FETCH_DATA} HTTP/1.1`,
        'Host: tunnel.example',
        'Connection: close',
        ...lines,
        '\r\n',
      ].join('\r\n'),
    )
    const [head = ''] = answer.split('\r\n\r\n')
    const returned = head.split('\r\n').map((line) => line.toLowerCase())
    expect(returned.filter((line) => !line.startsWith('date:'))).toEqual([
      'http/1.1 200 ok',
      'content-type: application/json',
      'server-timing-total: 2',
      'upgrade-hint: 3',
      'x-own: 1',
      'x-upgrade: 4',
      `content-length: ${PAYLOAD.length}`,
      'connection: close',
    ])
    const forwarded = received[0]?.headers ?? {}
    expect(forwarded).toMatchObject({
      'x-sidecard-dev': '1',
      'x-own': '1',
      'host-hint': '2',
      'te-hint': '3',
      host: expect.stringMatching(/^127\.0\.0\.1:/),
    })
    for (const name of ['te', 'proxy-authorization', 'content-type']) {
      expect(forwarded).not.toHaveProperty(name)
    }
  })

  test.each<[string, string, RequestInit | undefined, { readonly status: number }]>([
    ['another path', '/', {}, NOT_FOUND],
    ['a path below', '/widget/x', {}, NOT_FOUND],
    ['a control route of the workspace', '/-/state', {}, NOT_FOUND],
    ['an encoded spelling of the path', '/%77idget', {}, NOT_FOUND],
    ['a path with two slashes', '//widget', {}, NOT_FOUND],
    ['a POST', '/widget?request_type=verify', { method: 'POST', body: 'x' }, NOT_ALLOWED],
    ['a HEAD', '/widget?request_type=verify', { method: 'HEAD' }, NOT_ALLOWED],
    ['another value of the own query', '/widget?tenant=other', {}, CHANGED],
    ['a second value of the own query', '/widget?tenant=acme&tenant=other', {}, CHANGED],
  ])(
    'rejects %s without calling the endpoint, and shows it',
    async (_name, path, init, problem) => {
      const { base, received, live } = await startProxy()
      const response = await fetch(`${base}${path}`, init)
      expect(response.status).toBe(problem.status)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...(problem.status === 405 && { allow: 'GET' }),
      })
      const body = await response.text()
      expect(body === '' ? undefined : JSON.parse(body)).toEqual(
        init?.method === 'HEAD' ? undefined : problem,
      )
      expect(received).toEqual([])
      expect(live).toMatchObject([
        {
          method: init?.method ?? 'GET',
          url: expect.stringContaining(path),
          response: { status: problem.status },
        },
      ])
    },
  )

  test('rejects a GET with a body, an absolute URL and headers over 16 KiB', async () => {
    const { base, received } = await startProxy()
    const { port } = new URL(base)
    const send = async (bytes: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(bytes)
      const chunks: Buffer[] = []
      for await (const chunk of socket) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString()
    }
    const get = 'GET /widget?tenant=acme HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    expect(await send(`${get}content-length: 2\r\n\r\nhi`)).toMatch(/^HTTP\/1\.1 413 /)
    expect(await send(`${get}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    )
    expect(await send(get.replace('/widget', 'http://x/widget') + '\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
    expect(await send(`${get}x: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
    // The rest of a rejected body never arrives, so the connection is closed.
    const post = 'POST /widget HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\npart'
    expect(await send(post)).toMatch(/^HTTP\/1\.1 405 [^]*\r\nconnection: close\r\n/i)
    expect(received).toEqual([])
  })

  test('forwards at most ten requests at the same time', async () => {
    const release = Promise.withResolvers<void>()
    let pending = 0
    const allPending = Promise.withResolvers<void>()
    const { proxy } = await startProxy({
      fetch: async () => {
        pending += 1
        if (pending === 10) allPending.resolve()
        await release.promise
        return new Response(PAYLOAD)
      },
    })
    const first = Array.from({ length: 10 }, () => fetch(proxy))
    await allPending.promise
    const rejected = await fetch(proxy)
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await rejected.json()).toEqual({
      status: 503,
      code: 'too_many_requests',
      title: 'Service Unavailable',
      detail: 'Too many requests at the same time.',
    })
    release.resolve()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await fetch(proxy)).status).toBe(200)
  })

  test.each<[string, () => Promise<Response>]>([
    ['does not respond', () => Promise.reject(new TypeError('canary: fetch failed'))],
    ['responds with more than 1 MiB', async () => new Response('x'.repeat(1024 * 1024 + 1))],
  ])('returns 502 without details if the endpoint %s', async (_name, send) => {
    const { proxy, live } = await startProxy({ fetch: send })
    const response = await fetch(proxy)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      status: 502,
      code: 'no_response',
      title: 'Bad Gateway',
      detail: 'The endpoint sent no complete response. See the workspace of sidecard dev.',
    })
    expect(live[0]?.error).toBeInstanceOf(Error)
    expect(live[0]?.response).toBeUndefined()
  })

  const HEADERS = { 'X-Sidecard-Secret': 's3cret', 'x-tenant': 'acme' }

  test.each<[string, HeadersInit]>([
    ['no header', {}],
    ['one of two headers', { 'x-sidecard-secret': 's3cret' }],
    ['another value', { ...HEADERS, 'x-tenant': 'other' }],
    ['the start of a value', { ...HEADERS, 'x-tenant': 'acm' }],
    ['an empty value', { ...HEADERS, 'x-tenant': '' }],
    ['a value twice', [...Object.entries(HEADERS), ['x-tenant', 'acme']]],
  ])('rejects a request with %s', async (_name, headers) => {
    const { proxy, received, live } = await startProxy({ headers: () => HEADERS })
    const response = await fetch(`${proxy}${FETCH_DATA}`, { headers })
    expect([response.status, await response.json()]).toEqual([
      401,
      {
        status: 401,
        code: 'unauthorized',
        title: 'Unauthorized',
        detail: 'Send the custom header of the app.',
      },
    ])
    expect(received).toEqual([])
    expect(live[0]).toMatchObject({ isForwarded: false, response: { status: 401 } })
  })

  test('forwards requests with the headers that the app has at that time', async () => {
    let headers: Readonly<Record<string, string>> = HEADERS
    const { proxy, received } = await startProxy({ headers: () => headers })
    const send = async () => (await fetch(proxy, { headers: HEADERS })).status
    expect(await send()).toBe(200)
    headers = { ...HEADERS, 'x-tenant': 'globex' }
    expect(await send()).toBe(401)
    expect(received).toHaveLength(1)
  })
})
