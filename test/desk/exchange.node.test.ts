import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCaller } from 'sidecard/testing'
import { listen, listenTcp } from '../helpers/listen.ts'

const QUERY = [['request_type', 'verify']] as const

describe('an exchange over HTTP', () => {
  it('sends one GET with the custom headers and keeps their values out of its record', async () => {
    const seen: unknown[] = []
    const url = await listen((request, response) => {
      seen.push([request.method, request.url, request.headers['x-key']])
      response.end('hello')
    })
    const caller = createCaller({ target: `${url}path?tenant=1`, headers: { 'x-key': 's3cret' } })
    const exchange = await caller.send([['code', 'a+b &é']])
    expect(seen).toEqual([['GET', '/path?tenant=1&code=a%2Bb%20%26%C3%A9', 's3cret']])
    expect(exchange.response).toMatchObject({ status: 200, text: 'hello', truncated: false })
    expect(exchange.request.headerNames).toEqual(['x-key'])
    expect(JSON.stringify(exchange)).not.toContain('s3cret')
  })

  it('follows no redirect', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    const { response, failure } = await createCaller({ target: url }).send(QUERY)
    expect(failure).toBeUndefined()
    expect(response?.status).toBe(302)
  })

  it('says that nothing answers when the port is closed', async () => {
    const url = await closedPort()
    const { failure, response } = await createCaller({ target: url }).send(QUERY)
    expect(response).toBeUndefined()
    expect(failure?.kind).toBe('unreachable')
  })

  it('tells a closed connection and an answer that is no HTTP apart', async () => {
    const closing = await listenTcp((socket) => socket.once('data', () => socket.destroy()))
    const talking = await listenTcp((socket) =>
      socket.once('data', () => socket.end('220 smtp\r\n\r\n')),
    )
    expect((await createCaller({ target: closing }).send(QUERY)).failure?.kind).toBe('reset')
    expect((await createCaller({ target: talking }).send(QUERY)).failure?.kind).toBe('malformed')
  })

  it('gives up at the deadline when no header ever comes', async () => {
    const url = await listen(() => undefined)
    const { failure } = await createCaller({ target: url, timeoutMs: 50 }).send(QUERY)
    expect(failure?.kind).toBe('timeout')
  })

  it('gives up at the deadline when the body drips for ever', async () => {
    const url = await listen((_request, response) => {
      const drip = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(drip))
    })
    const { failure } = await createCaller({ target: url, timeoutMs: 100 }).send(QUERY)
    expect(failure?.kind).toBe('timeout')
  })

  it('stops reading a compressed bomb at the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const { failure, response } = await createCaller({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('too_large')
    expect(response?.truncated).toBe(true)
    expect(response?.body.byteLength).toBe(1_048_576)
  })

  it('reads a body of exactly the cap whole', async () => {
    const url = await listen((_request, response) => response.end('12345'))
    const { failure, response } = await createCaller({ target: url, maxBodyBytes: 5 }).send(QUERY)
    expect(failure).toBeUndefined()
    expect(response?.text).toBe('12345')
  })

  it('says that a body is cut off when the connection ends before its length', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('short', () => response.destroy())
    })
    const { failure } = await createCaller({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('cut_off')
  })

  it('says that a body cannot be decompressed', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip at all')
    })
    const { failure } = await createCaller({ target: url }).send(QUERY)
    expect(failure?.kind).toBe('undecodable')
  })
})

describe('an exchange in process', () => {
  it('says what kind of thing a target threw and not what it said', async () => {
    const target = {
      fetch(): Response {
        throw new TypeError('customer 42 is secret')
      },
    }
    const { failure } = await createCaller({ target }).send(QUERY)
    expect(failure).toEqual({
      kind: 'threw',
      message: 'the target threw instead of answering (it threw a TypeError)',
    })
  })

  it('gives up on a target that never answers and on a body that never ends', async () => {
    const silent = { fetch: () => new Promise<Response>(() => undefined) }
    const endless = {
      fetch: () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
    }
    const results = await Promise.all(
      [silent, endless].map((target) => createCaller({ target, timeoutMs: 30 }).send(QUERY)),
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
    const exchange = await createCaller({ target, now: () => clock }).send(QUERY)
    expect(exchange).toMatchObject({ startedAt: 1_000, durationMs: 250 })
  })

  it.each([
    ['ftp://example.com', 'invalid_target'],
    ['not a url', 'invalid_target'],
    ['http://user:hunter2@example.com/', 'invalid_target'],
  ])('refuses the address %s and does not repeat it', (target, code) => {
    expect(() => createCaller({ target })).toThrow(expect.objectContaining({ code }))
    expect(() => createCaller({ target })).not.toThrow(/hunter2|not a url/)
  })

  it('refuses a header that HTTP does not allow without showing its value', () => {
    const make = () => createCaller({ target: 'http://x.test', headers: { key: 'hunter2\nx: y' } })
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
