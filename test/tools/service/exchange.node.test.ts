import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTestService } from 'sidecard/testing'
import { createEndpointClient } from '../../../src/tools/service/endpoint-client.ts'
import { listen, listenTcp } from '../../helpers/listen.ts'

const QUERY = [['request_type', 'verify']] as const

describe('an exchange over HTTP', () => {
  it('sends one GET with the custom headers, and does not record their values', async () => {
    const seen: unknown[] = []
    const url = await listen((request, response) => {
      seen.push([request.method, request.url, request.headers['x-key']])
      response.end('hello')
    })
    const caller = createEndpointClient({
      target: `${url}path?tenant=1`,
      headers: { 'x-key': 's3cret' },
    })
    const exchange = await caller.send([['code', 'a+b &é']])
    expect(seen).toEqual([['GET', '/path?tenant=1&code=a%2Bb%20%26%C3%A9', 's3cret']])
    expect(exchange.response).toMatchObject({ status: 200, text: 'hello', truncated: false })
    expect(exchange.request.headerNames).toEqual(['x-key'])
    expect(JSON.stringify(exchange)).not.toContain('s3cret')
  })

  it('does not follow redirects', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const { response, failure } = await createEndpointClient({ target: url }).send(QUERY)
    expect(failure).toBeUndefined()
    expect(response?.status).toBe(302)
  })

  it('reports a closed port as unreachable', async () => {
    const url = await closedPort()
    const { failure, response } = await createEndpointClient({ target: url }).send(QUERY)
    expect(response).toBeUndefined()
    expect(failure?.kind).toBe('unreachable')
  })

  it('distinguishes a closed connection from a response that is not HTTP', async () => {
    const closing = await listenTcp((socket) => socket.once('data', () => socket.destroy()))
    const talking = await listenTcp((socket) =>
      socket.once('data', () => socket.end('220 smtp\r\n\r\n')),
    )
    expect((await createEndpointClient({ target: closing }).send(QUERY)).failure?.kind).toBe(
      'reset',
    )
    expect((await createEndpointClient({ target: talking }).send(QUERY)).failure?.kind).toBe(
      'malformed',
    )
  })

  it('times out if no header arrives', async () => {
    const url = await listen(() => undefined)
    const { failure } = await createEndpointClient({ target: url, timeoutMs: 50 }).send(QUERY)
    expect(failure?.kind).toBe('timeout')
  })

  it('times out if the body never ends', async () => {
    const url = await listen((_request, response) => {
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    })
    const { failure } = await createEndpointClient({ target: url, timeoutMs: 100 }).send(QUERY)
    expect(failure?.kind).toBe('timeout')
  })

  it('stops reading a compressed bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const { failure, response } = await createEndpointClient({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('too_large')
    expect(response?.truncated).toBe(true)
    expect(response?.body.byteLength).toBe(1_048_576)
  })

  it('reads a body of exactly the limit', async () => {
    const url = await listen((_request, response) => response.end('12345'))
    const { failure, response } = await createEndpointClient({ target: url, maxBodyBytes: 5 }).send(
      QUERY,
    )
    expect(failure).toBeUndefined()
    expect(response?.text).toBe('12345')
  })

  it('reports a body shorter than its Content-Length', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('short', () => response.destroy())
    })
    const { failure } = await createEndpointClient({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('cut_off')
  })

  it('reports a body that cannot be decompressed', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip at all')
    })
    const { failure } = await createEndpointClient({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('undecodable')
  })
})

describe('an exchange in process', () => {
  it('reports the type of a thrown error, not its message', async () => {
    const target = {
      fetch(): Response {
        throw new TypeError('customer 42 is secret')
      },
    }
    const { failure } = await createEndpointClient({ target }).send(QUERY)
    expect(failure).toEqual({
      kind: 'threw',
      message: 'the app threw instead of returning a response (it threw TypeError)',
    })
  })

  it('aborts the signal of the request when the response was read', async () => {
    const signals: AbortSignal[] = []
    const target = {
      fetch({ signal }: Request) {
        signals.push(signal)
        return new Response('{}')
      },
    }
    expect((await createEndpointClient({ target }).send(QUERY)).failure).toBeUndefined()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('times out for an app that never responds and for a body that never ends', async () => {
    const silent = { fetch: () => new Promise<Response>(() => undefined) }
    const endless = {
      fetch: () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    }
    const results = await Promise.all(
      [silent, endless].map((target) =>
        createEndpointClient({ target, timeoutMs: 30 }).send(QUERY),
      ),
    )
    expect(results.map(({ failure }) => failure?.kind)).toEqual(['timeout', 'timeout'])
  })

  it('measures time on the given clock', async () => {
    let clock = 1_000
    const target = {
      fetch() {
        clock += 250
        return new Response('ok')
      },
    }
    const exchange = await createEndpointClient({ target, now: () => clock }).send(QUERY)
    expect(exchange).toMatchObject({ startedAt: 1_000, durationMs: 250 })
  })

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'hello'],
    ['a promise of nothing', Promise.resolve()],
    ['an object with a status', { status: 200 }],
    [
      'an object with a getter that throws',
      Object.defineProperty({ status: 200 }, 'headers', {
        get: () => {
          throw new Error('no')
        },
      }),
    ],
  ])('reports that the app returned %s instead of a Response', async (_name, value) => {
    const target = { fetch: () => value as never }
    const { failure } = await createEndpointClient({ target }).send(QUERY)
    expect(failure).toMatchObject({ kind: 'threw' })
    expect(failure?.message).toContain('did not return a Response')
  })

  it('reports a response as truncated if its body was already read', async () => {
    const used = new Response('x')
    await used.text()
    const { failure } = await createEndpointClient({ target: { fetch: () => used } }).send(QUERY)
    expect(failure?.kind).toBe('cut_off')
  })

  it.each([
    [{ timeoutMs: Number.NaN }],
    [{ timeoutMs: 0 }],
    [{ timeoutMs: Infinity }],
    [{ timeoutMs: '500' }],
    [{ maxBodyBytes: -1 }],
    [{ width: 5 }],
    [{ timeZone: 'Mars/Olympus' }],
    [{ headers: { 'x-key': undefined } }],
    [{ header: { 'x-key': 'a' } }],
    [null],
  ])('rejects the options %j', (options) => {
    const create = () => createTestService({ fetch: () => new Response() }, options as never)
    expect(create).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^invalid_(?:options|header)$/) }),
    )
  })

  it.each<[unknown, string]>([
    [{ acount_id: 'acme' }, 'openIssue: there is no ID "acount_id". Did you mean account_id?'],
    [{ account_id: 7 }, 'openIssue: account_id must be a string.'],
    [null, 'openIssue: the IDs must be an object.'],
  ])('rejects the IDs %j', async (ids, message) => {
    const service = createTestService({ fetch: () => new Response() })
    await expect(service.openIssue(ids as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message,
    })
  })

  it.each([[undefined], [null], [{}], [7], [() => new Response()]])('rejects the app %s', (app) => {
    expect(() => createTestService(app as never)).toThrow(
      expect.objectContaining({ code: 'invalid_target' }),
    )
  })

  it.each([
    ['ftp://example.com', 'invalid_target'],
    ['not a url', 'invalid_target'],
    ['http://user:hunter2@example.com/', 'invalid_target'],
  ])('rejects the URL %s without repeating it', (target, code) => {
    expect(() => createEndpointClient({ target })).toThrow(expect.objectContaining({ code }))
    expect(() => createEndpointClient({ target })).not.toThrow(/hunter2|not a url/)
  })

  it('rejects an invalid header without showing its value', () => {
    const make = () =>
      createEndpointClient({ target: 'http://x.test', headers: { key: 'hunter2\nx: y' } })
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_header' }))
    expect(make).not.toThrow(/hunter2/)
  })
})

async function closedPort(): Promise<string> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/`
}
