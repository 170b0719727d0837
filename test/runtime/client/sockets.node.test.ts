import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { catchError } from '../../helpers/scripted-api.ts'

const TOKEN = 'tok-canary-5b1f'
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a server on a real socket that counts requests and passes each to `respond`. */
async function onSocket(answer: (socket: Socket, head: string, count: number) => void) {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end)
        received = received.slice(end + 4)
        heads.push(head)
        answer(socket, head, heads.length)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const client = (options: { timeoutMs?: number; maxRetries?: number } = {}) =>
    createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      accessToken: TOKEN,
      timeoutMs: options.timeoutMs ?? 10_000,
      retry: { maxRetries: options.maxRetries ?? 0, baseDelayMs: 0 },
    })
  return { heads, client, port }
}

const head = (length: number) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const page = '{"data":[{"id":"usr_1"}],"request_id":"req_1"}'

describe('a write on a connection that breaks', () => {
  test('is sent exactly once in five hundred runs', async () => {
    const { heads, client } = await onSocket((socket, _head, count) => {
      // Before any response, after half a status line, and in the middle of a body.
      if (count % 3 === 1) socket.write('HTTP/1.1 200')
      if (count % 3 === 2) socket.write(`${head(100)}{"data":`)
      socket.resetAndDestroy()
    })
    const { tasks, messages } = client({ maxRetries: 5 })
    for (let count = 0; count < 250; count += 1) {
      const title = `task-${count}`
      const failures = await Promise.all([
        catchError(tasks.create({ title })),
        catchError(messages.redact({ issue_id: 'iss_1', message_id: `msg_${count}` })),
      ])
      for (const failure of failures) {
        expect(['network_error', 'invalid_response']).toContain(failure.code)
        expect(failure.attempts).toBe(1)
      }
    }
    expect(heads.length).toBe(500)
    expect(new Set(heads.map((each) => each.split('\r\n')[0])).size).toBe(500)
  }, 60_000)
})

describe('a read on a connection that breaks', () => {
  test('is retried, and succeeds when the API is available again', async () => {
    const { heads, client } = await onSocket((socket, _head, count) => {
      if (count < 3) socket.resetAndDestroy()
      else socket.end(head(page.length) + page)
    })
    const { data } = await client({ maxRetries: 2 }).users.list()
    expect(data).toEqual([{ id: 'usr_1' }])
    expect(heads.length).toBe(3)
  })

  test('throws a typed error if the body is shorter than its Content-Length', async () => {
    const { client } = await onSocket((socket) => socket.end(head(500) + page))
    const failure = await catchError(client().users.list())
    expect(failure).toMatchObject({ name: 'ClientError', code: 'network_error' })
  })
})

describe('an API that stalls', () => {
  test.each([
    ['before the status line', () => undefined],
    ['in the headers', (socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\nX-A: ')],
    ['in the body', (socket: Socket) => void socket.write(`${head(500)}{"data":[`)],
  ])('%s times out', async (_where, answer) => {
    const { client } = await onSocket(answer)
    expect(await catchError(client({ timeoutMs: 50 }).users.list())).toMatchObject({
      code: 'timeout',
    })
  })

  test('in the body is canceled by the caller', async () => {
    const controller = new AbortController()
    const { client } = await onSocket((socket) => {
      socket.write(`${head(500)}{"data":[`)
      setImmediate(() => controller.abort())
    })
    const failure = await catchError(client().users.list({ signal: controller.signal }))
    expect(failure.code).toBe('aborted')
  })
})

test('a redirect to another origin is not followed', async () => {
  const elsewhere = await onSocket((socket) => socket.end(head(page.length) + page))
  const { client } = await onSocket((socket) =>
    socket.end(
      `HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${elsewhere.port}/users\r\nContent-Length: 0\r\n\r\n`,
    ),
  )
  const failures = await Promise.all([
    catchError(client().users.list()),
    catchError(client().tasks.create({ title: 'x' })),
  ])
  expect(failures.map(({ code }) => code)).toEqual(['redirect', 'redirect'])
  expect(elsewhere.heads).toEqual([])
})

test('a gzip bomb is read up to 10 MB', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  const server = createHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(bomb)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, accessToken: TOKEN })
  expect((await catchError(client.users.list())).code).toBe('response_too_large')
})

test('sends the token as the contract specifies, and no part of a failure contains it', async () => {
  const { heads, client } = await onSocket((socket, received) => {
    // An API that echoes the request.
    const body = JSON.stringify({ message: received, errors: [{ message: received }] })
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nX-Echo: ${TOKEN}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
  const failure = await catchError(client().tasks.create({ title: 'x' }))
  expect(heads[0]?.toLowerCase()).toContain(`\r\nauthorization: bearer ${TOKEN}`)
  const { inspect } = await import('node:util')
  const leftovers = [
    String(failure),
    failure.stack,
    inspect(failure, { depth: 9, showHidden: true }),
    JSON.stringify(failure),
    failure.body,
  ]
  for (const leftover of leftovers) expect(leftover).not.toContain(TOKEN)
})
