import { once } from 'node:events'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from 'sidecard/node'
import { exchange, open, readAll, readUntil } from '../../helpers/raw-http.ts'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { eventually } from '../../helpers/eventually.ts'

async function start(app: Parameters<typeof serve>[0], options: Parameters<typeof serve>[1] = {}) {
  const server = await serve(app, { port: 0, handleSignals: false, ...options })
  onTestFinished(() => server.close())
  return server
}

/** An app whose response waits until the test releases it. */
function heldApp() {
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const app = new Hono().get('/', async (c) => {
    started.resolve()
    await release.promise
    return c.text('the whole response')
  })
  return { app, started: started.promise, release: release.resolve }
}

test.each([
  [
    'a header set on a text response',
    () => new Response('x', { headers: { 'x-a': '1', 'x-bad': '\u0001' } }),
  ],
  [
    'a header of a stream',
    () => new Response(new Blob(['x']).stream(), { headers: { 'x-bad': '\u007f' } }),
  ],
  ['a header behind a promise', async () => new Response('x', { headers: [['x-bad', '\u0001']] })],
  ['a header of an empty response', () => new Response(null, { headers: { 'x-bad': '\u0001' } })],
])(
  '%s that Node cannot send results in a 500, and the server continues',
  async (_name, respond) => {
    const errors = captureStderr()
    const bad = {
      fetch: (request: Request) => (request.url.endsWith('/bad') ? respond() : new Response('ok')),
    }
    const { url } = await start(bad)
    const response = await fetch(`${url}/bad`)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-bad')).toBeNull()
    expect(response.headers.get('x-a')).toBeNull()
    expect(await response.json()).toMatchObject({ status: 500, code: 'internal_error' })
    expect(await (await fetch(`${url}/good`)).text()).toBe('ok')
    expect(errors()).toMatch(/^sidecard: a route returned an invalid response: .*"x-bad".*\.\n$/)
  },
)

test.each([
  ['a text response', () => 'text'],
  ['a stream', () => new Blob(['text']).stream()],
])('several Set-Cookie headers of %s arrive as several', async (_name, body) => {
  const app = new Hono().get('/', (c) => {
    c.header('set-cookie', 'a=1; Path=/, with a comma')
    c.header('set-cookie', 'b=2', { append: true })
    return c.body(body())
  })
  const { url } = await start(app)
  const { headers } = await fetch(url)
  expect(headers.getSetCookie()).toEqual(['a=1; Path=/, with a comma', 'b=2'])
})

test('bytes that are not HTTP do not replace the response to the request before them', async () => {
  const { app, started, release } = heldApp()
  const { port } = await start(app)
  const socket = await open(port)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await started
  socket.write('this is not HTTP\r\n\r\n')
  // The server reads the bytes before it responds to this request on another connection.
  await exchange(port, 'nonsense\r\n\r\n')
  release()
  const [first = '', second = ''] = (await readAll(socket)).split(/(?<!^)(?=HTTP\/1\.1 )/)
  expect(first).toMatch(/^HTTP\/1\.1 200 .*the whole response/s)
  expect(second).toMatch(/^HTTP\/1\.1 400 .*"bad_request"/s)
})

test('the connection of an invalid request is closed although its client keeps it open', async () => {
  const errors = captureStderr()
  const { port, close } = await start(new Hono(), { drainTimeoutMs: 2_000 })
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.write('nonsense\r\n\r\n')
  expect(await readUntil(socket, (text) => text.includes('}'))).toMatch(/^HTTP\/1\.1 400 /)
  await close()
  expect(errors()).toBe('')
})

test('a connection that breaks during its response is closed without a second response', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const app = new Hono().post('/', () => new Response(stream.readable))
  const { port } = await start(app)
  const socket = await open(port)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
  void writer.write(new TextEncoder().encode('half')).catch(() => undefined)
  const head = await readUntil(socket, (text) => text.includes('half'))
  socket.write('not a chunk size\r\n')
  expect(head + (await readAll(socket))).not.toContain('HTTP/1.1 400')
  expect(head).toMatch(/^HTTP\/1\.1 200 /)
})

test('a body that never arrives is rejected although the app waits for it', async () => {
  const app = new Hono().post('/', async (c) => c.text(await c.req.text().catch(() => 'aborted')))
  const { port } = await start(app, { headersTimeoutMs: 60, requestTimeoutMs: 80 })
  const socket = await open(port)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12')
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s)
})

test.each(['200-ok', '100-continue', 'a surprise'])(
  'ignores the expectation %s',
  async (expectation) => {
    const { port } = await start(new Hono().get('/', (c) => c.text('ok')))
    const bytes = `GET / HTTP/1.1\r\nhost: x\r\nexpect: ${expectation}\r\nconnection: close\r\n\r\n`
    const response = await exchange(port, bytes)
    expect(response.replace('HTTP/1.1 100 Continue\r\n\r\n', '')).toMatch(/^HTTP\/1\.1 200 OK/)
  },
)

test('a request that arrives during the drain on an open connection gets its response', async () => {
  const { app, started, release } = heldApp()
  const { port, close } = await start(app, { stopDelayMs: 0 })
  const socket = await open(port)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await started
  const closed = close()
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await eventually(() => expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' }))
  release()
  const text = await readAll(socket)
  expect(text.match(/the whole response/g)).toHaveLength(2)
  expect(text.match(/connection: close/gi)).toHaveLength(1)
  await closed
})

test('onClose runs once after the last response, including on close()', async () => {
  const events: string[] = []
  const { app, started, release } = heldApp()
  const listeners = process.listenerCount('SIGTERM')
  const server = await serve(app, {
    port: 0,
    onClose: async () => void events.push('closed'),
  })
  const response = fetch(server.url).then(async (each) => events.push(await each.text()))
  await started
  const closes = Promise.all([server.close(), server.close()])
  release()
  await Promise.all([closes, response])
  expect(events.toSorted()).toEqual(['closed', 'the whole response'])
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
})

test('close() rejects with what onClose threw', async () => {
  const listeners = process.listenerCount('SIGTERM')
  const server = await serve(new Hono(), {
    port: 0,
    onClose: () => {
      throw new Error('the database is gone')
    },
  })
  await expect(server.close()).rejects.toThrow('the database is gone')
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
})

test('handleSignals: false leaves the signals to the program', async () => {
  const before = process.listenerCount('SIGTERM')
  await start(new Hono(), { handleSignals: false })
  expect(process.listenerCount('SIGTERM')).toBe(before)
  const handling = await serve(new Hono(), { port: 0 })
  expect(process.listenerCount('SIGTERM')).toBe(before + 1)
  const second = await serve(new Hono(), { port: 0 })
  expect(process.listenerCount('SIGTERM')).toBe(before + 1)
  await handling.close()
  expect(process.listenerCount('SIGTERM')).toBe(before + 1)
  await second.close()
  expect(process.listenerCount('SIGTERM')).toBe(before)
})

test('an idle connection without any request is closed when the server closes', async () => {
  const { port, close } = await start(new Hono())
  const idle = await open(port)
  await close()
  if (!idle.closed) await once(idle.resume(), 'close')
  expect(idle.closed).toBe(true)
})

test('an idle connection is closed after keepAliveTimeoutMs, which the response announces', async () => {
  const app = { fetch: () => new Response('ok') }
  const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const long = await start(app, { keepAliveTimeoutMs: 65_000 })
  const kept = await open(long.port)
  kept.write(get)
  expect(await readUntil(kept, (text) => text.includes('ok'))).toMatch(/keep-alive: timeout=65\r/i)
  const short = await start(app, { keepAliveTimeoutMs: 20 })
  const closed = await open(short.port)
  closed.write(get)
  // Node adds a second for requests that are on their way.
  expect(await readAll(closed)).toMatch(/ok$/)
  kept.write(get)
  expect(await readUntil(kept, (text) => text.includes('ok'))).toContain('200 OK')
})
