import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The payload of the endpoint. */
export const PAYLOAD = JSON.stringify({
  version: '1.0.0',
  header: { title: 'T', icon_url: 'https://example.com/i.png' },
  components: [],
})

/** An endpoint with its own path and query, which records the received requests. */
export async function startEndpoint(
  respond: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .setHeader('x-sidecard-error', 'the stack')
      .setHeader('x-sidecard-trace', 'abc')
      .setHeader('server-timing', 'db;dur=1')
      .setHeader('set-cookie', 'a=b')
      .setHeader('x-own', '1')
      .setHeader('server-timing-total', '2')
      .setHeader('upgrade-hint', '3')
      .setHeader('x-upgrade', '4')
      .end(PAYLOAD),
) {
  const received: IncomingMessage[] = []
  const server = createServer((request, response) => {
    received.push(request)
    respond(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/widget?tenant=acme`), received }
}

/** The query of a data fetch, after that of the endpoint. */
export const FETCH_DATA =
  '&request_type=fetch_data&app_id=a&account_id=acme%2B1&requester_email=x%40example.com'
