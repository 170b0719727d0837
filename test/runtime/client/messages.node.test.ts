import { createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { findFreePort } from '../../helpers/free-port.ts'
import { catchError, createScriptedClient, json, TOKEN } from '../../helpers/scripted-api.ts'

const connect = (port: number) =>
  createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, accessToken: TOKEN, retry: false })

describe('the message of a failed connection', () => {
  test('names the host and the reason', async () => {
    const port = await findFreePort()
    const { users, tasks } = connect(port)
    const read = await catchError(users.list())
    expect(read).toMatchObject({ code: 'network_error', reason: 'ECONNREFUSED' })
    expect(read.message).toBe(
      `GET /users: the connection to 127.0.0.1:${port} failed (ECONNREFUSED). Check baseUrl and the network.`,
    )
    // A request that was not sent cannot have been processed.
    const write = await catchError(tasks.create({ title: 'x' }))
    expect(write.message).not.toContain('processed')
  })

  test('names a host that does not resolve', async () => {
    const client = createClient({
      baseUrl: 'https://api.sidecard.invalid',
      accessToken: TOKEN,
      retry: false,
    })
    const error = await catchError(client.users.list())
    expect(error.message).toMatch(/the connection to api\.sidecard\.invalid failed \(E[A-Z_]+\)\./)
  })

  test('warns that a write may have been processed', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.resetAndDestroy()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const error = await catchError(connect(port).tasks.create({ title: 'x' }))
    server.close()
    expect(error.message).toMatch(
      /failed \(\w+\)\. Check baseUrl and the network\. The request may have been processed: check before retrying\.$/,
    )
  })
})

test.each([
  [{ cause: { code: 'ECONNRESET' } }, 'ECONNRESET'],
  [{ code: 'UND_ERR_SOCKET' }, 'UND_ERR_SOCKET'],
  [{ cause: { code: 'not a code' }, code: 'EPIPE' }, 'EPIPE'],
  [{ cause: { code: `E${'X'.repeat(50)}` } }, undefined],
  [{ cause: { code: 42 } }, undefined],
  [{ cause: null }, undefined],
  [{}, undefined],
])('the reason of a network failure is a code of the system (%j)', async (details, reason) => {
  const { client } = createScriptedClient([Object.assign(new TypeError('failed'), details)], {
    retry: false,
  })
  const error = await catchError(client.users.list())
  expect(error.reason).toBe(reason)
  expect(error.message).toBe(
    `GET /users: the connection to api.example.com failed${reason === undefined ? '' : ` (${reason})`}. Check baseUrl and the network.`,
  )
})

test.each(['ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])(
  'after %s, the message names the variables of a proxy',
  async (code) => {
    const failure = Object.assign(new TypeError('fetch failed'), { cause: { code } })
    const { client } = createScriptedClient([failure], { retry: false })
    expect((await catchError(client.users.list())).message).toBe(
      `GET /users: the connection to api.example.com failed (${code}). Check baseUrl and the network. Behind a proxy, set HTTPS_PROXY, and on Node also NODE_USE_ENV_PROXY=1.`,
    )
  },
)

test('an error whose properties throw is a network failure', async () => {
  const hostile = Object.defineProperty(new TypeError('failed'), 'cause', {
    get() {
      throw new Error('canary')
    },
  })
  const { client } = createScriptedClient([hostile], { retry: false })
  const error = await catchError(client.users.list())
  expect(error).toMatchObject({ code: 'network_error', reason: undefined })
  expect(error.message).not.toContain('canary')
})

test('a 401 mentions accessToken', async () => {
  const { client } = createScriptedClient([json({}, 401)])
  const error = await catchError(client.users.list())
  expect(error.message).toBe('GET /users: the API returned 401. Check accessToken.')
})

test('a 429 contains the time until a retry', async () => {
  const { client } = createScriptedClient([json({}, 429, { 'retry-after': '120' })])
  const error = await catchError(client.users.list())
  expect(error.message).toBe('GET /users: the API returned 429. Retry after 120 s.')
})
