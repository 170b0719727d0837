import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { secretHeader, text } from 'sidecard'
import { serve, type ServeOptions, type Server } from 'sidecard/node'
import { FETCH_DATA, createTestApp, readPayload, VERIFY } from '../../helpers/app.ts'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { exchange, open, readAll, readUntil } from '../../helpers/raw-http.ts'

let server: Server | undefined

afterEach(() => server?.close())

async function start(
  app: Parameters<typeof serve>[0] = createTestApp(),
  options: ServeOptions = {},
) {
  server = await serve(app, { port: 0, handleSignals: false, ...options })
  return server
}

function expectProblem(answer: string, status: number, code: string) {
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toMatch(/content-type: application\/problem\+json/i)
  expect(answer).toMatch(/x-content-type-options: nosniff/i)
  expect(answer).toMatch(/cache-control: no-store/i)
  expect(answer).toContain(`"code":"${code}"`)
}

test('responds over HTTP, with the given environment bindings', async () => {
  const app = createTestApp<any>({
    auth: secretHeader('x-sidecard-secret', (env: any) => env.SECRET),
    fetchData: (ctx) => [text({ label: 'Region', value: ctx.env.REGION })],
  })
  const { url } = await start(app, { env: { SECRET: 's', REGION: 'eu' } })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const headers = { 'x-sidecard-secret': 's' }
  expect(await (await fetch(`${url}${VERIFY}`, { headers })).json()).toEqual({ code: 'c0de' })
  const payload = await readPayload(await fetch(`${url}${FETCH_DATA}`, { headers }))
  expect(payload.components[0].value).toBe('eu')
  expect((await fetch(`${url}${FETCH_DATA}`)).status).toBe(401)
})

test('by default, the bindings are the environment of the process', async () => {
  const app = { fetch: (_request: Request, env: any) => new Response(env.PATH) }
  const { url } = await start(app)
  expect(await (await fetch(url)).text()).toBe(process.env['PATH'])
})

test('reports that a port is in use, with a fix', async () => {
  const { port } = await start()
  await expect(serve(createTestApp(), { port, handleSignals: false })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringMatching(/^Port \d+ is in use\. .*another port\.$/),
  })
})

test.each([
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
  [
    'a request without a host',
    `GET ${VERIFY} HTTP/1.1\r\nconnection: close\r\n\r\n`,
    400,
    'bad_request',
  ],
  [
    'an invalid host',
    `GET ${VERIFY} HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n`,
    400,
    'bad_request',
  ],
  [
    'a URL over 16 KiB',
    `GET /?${'x'.repeat(17_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'headers over 16 KiB',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('rejects %s with a problem response', async (_name, bytes, status, code) => {
  const { port } = await start()
  expectProblem(await exchange(port, bytes), status, code)
})

test('the raw response to bytes that are not HTTP has a line for each header', async () => {
  const { port } = await start()
  const [head = '', body = ''] = (await exchange(port, 'hello\r\n\r\n')).split('\r\n\r\n')
  expect(head.split('\r\n')).toEqual([
    'HTTP/1.1 400 Bad Request',
    'content-type: application/problem+json',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `content-length: ${body.length}`,
    'connection: close',
  ])
})

test('rejects headers that never end, although a request may take longer', async () => {
  const { port } = await start(createTestApp(), { headersTimeoutMs: 60, requestTimeoutMs: 60_000 })
  const socket = await open(port)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
  expectProblem(await readAll(socket), 408, 'request_timeout')
})

test('responds to a request without waiting for a body that never ends', async () => {
  const { port } = await start(createTestApp(), { headersTimeoutMs: 60, requestTimeoutMs: 80 })
  const socket = await open(port)
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12')
  expectProblem(await readAll(socket), 405, 'method_not_allowed')
})

test('closes idle connections immediately, completes requests in flight, and accepts no new ones', async () => {
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const app = createTestApp({
    fetchData: async () => {
      started.resolve()
      await finish.promise
      return [text({ label: 'Plan', value: 'Pro' })]
    },
  })
  const { port, close } = await start(app)
  const idle = await open(port)
  idle.write(`GET ${VERIFY} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await readUntil(idle, (answer) => answer.includes('c0de'))
  const busy = await open(port)
  busy.write(`GET ${FETCH_DATA} HTTP/1.1\r\nhost: x\r\n\r\n`)
  await started.promise

  const closed = close()
  await once(idle.resume(), 'close')
  await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  finish.resolve()
  const answer = await readAll(busy)
  expect(answer).toContain('"Plan"')
  expect(answer).toMatch(/connection: close/i)
  await closed
  await close()
})

test('completes every request of a pipeline before it closes the connection', async () => {
  let begun = 0
  const bothBegun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const app = createTestApp({
    fetchData: async () => {
      begun += 1
      if (begun === 2) bothBegun.resolve()
      await finish.promise
      return [text({ label: 'Plan', value: 'Pro' })]
    },
  })
  const { port, close } = await start(app)
  const pipeline = await open(port)
  pipeline.write(`GET ${FETCH_DATA} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(2))
  await bothBegun.promise
  const closed = close()
  finish.resolve()
  const answer = await readAll(pipeline)
  expect(answer.match(/"Plan"/g)).toHaveLength(2)
  expect(answer.match(/connection: close/gi)).toHaveLength(1)
  await closed
})

test('cuts off requests that exceed the drain timeout', async () => {
  const { port, close } = await start(createTestApp(), {
    drainTimeoutMs: 50,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
  })
  const slow = await open(port)
  slow.on('error', () => undefined)
  slow.write('GET / HTTP/1.1\r\nhost: x\r\n')
  await new Promise(setImmediate)
  await close()
  if (!slow.closed) await once(slow.resume(), 'close')
  expect(slow.closed).toBe(true)
})

test('responds to pipelined requests in order', async () => {
  const { port } = await start()
  const request = (code: string) => `GET /?request_type=verify&code=${code} HTTP/1.1\r\nhost: x\r\n`
  const answer = await exchange(
    port,
    `${request('one')}\r\n${request('two')}connection: close\r\n\r\n`,
  )
  expect(answer.match(/\{"code":"\w+"\}/g)).toEqual(['{"code":"one"}', '{"code":"two"}'])
})

test('decodes the query from the bytes on the wire', async () => {
  const { port } = await start()
  const answer = await exchange(
    port,
    'GET /?request%5Ftype=verify&code=a+b%2Bc#?code=x HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  )
  expect(answer).toContain('{"code":"a b+c"}')
})

test.each([
  ['GET', `GET ${VERIFY} HTTP/1.0\r\n\r\n`, /^HTTP\/1\.1 200 OK\r\n.*\{"code":"c0de"\}$/s],
  ['the check of HAProxy', 'OPTIONS / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 405 .*"method_not_allowed"/s],
  ['an empty host', `GET ${VERIFY} HTTP/1.0\r\nhost:\r\n\r\n`, /^HTTP\/1\.1 200 /],
])('responds to HTTP/1.0 without a host: %s', async (_name, bytes, expected) => {
  const { port } = await start()
  expect(await exchange(port, bytes)).toMatch(expected)
})

test('an app that throws is logged, and its caller gets a problem response', async () => {
  const errors = captureStderr()
  const { port } = await start({
    fetch: () => {
      throw new Error('no route')
    },
  })
  const bytes = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  expectProblem(await exchange(port, bytes), 500, 'internal_error')
  expect(errors()).toMatch(/^sidecard: the app failed: Error: no route\n +at /)
})
