import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { send } from '../src/http-client.ts'

/** Starts an API that responds with these statuses in order, and then repeats the last one. */
async function startApi(t: TestContext, ...statuses: readonly number[]) {
  let count = 0
  const server = createServer((_request, response) => {
    response.writeHead(statuses[count] ?? statuses.at(-1) ?? 500).end()
    count += 1
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, count: () => count }
}

test('a request is retried while the API is unavailable', async (t) => {
  const api = await startApi(t, 503, 200)
  assert.strictEqual((await send(api.url)).status, 200)
  assert.strictEqual(api.count(), 2)
})

test('a request fails after two retries', async (t) => {
  const api = await startApi(t, 503)
  await assert.rejects(send(api.url))
  assert.strictEqual(api.count(), 3)
})

test('a customer who does not exist is not retried', async (t) => {
  const api = await startApi(t, 404)
  assert.strictEqual((await send(api.url)).status, 404)
  assert.strictEqual(api.count(), 1)
})

test('an aborted request is not retried', async (t) => {
  const api = await startApi(t, 503)
  await assert.rejects(send(api.url, { signal: AbortSignal.abort() }))
  assert.strictEqual(api.count(), 0)
})
