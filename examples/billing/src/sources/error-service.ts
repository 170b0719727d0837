import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The behavior of the service: like the real one, or broken in one way. */
export type ErrorServiceMode = 'working' | 'failing' | 'hanging' | 'malformed'

/** An error service on this machine, for development and tests: slow, like the real one. */
export interface ErrorService {
  readonly url: string
  mode: ErrorServiceMode
  /** The number of requests for each account. */
  readonly requests: ReadonlyMap<string, number>
  close(): Promise<void>
}

/** Starts the service on a free port. */
export async function startErrorService({ delayMs = 800 } = {}): Promise<ErrorService> {
  const requests = new Map<string, number>()
  const server = createServer((request, response) => {
    const account = decodeURIComponent(request.url?.split('/')[2] ?? '')
    requests.set(account, (requests.get(account) ?? 0) + 1)
    void respond(service.mode, account, response, delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: ErrorService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'working',
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

async function respond(
  mode: ErrorServiceMode,
  account: string,
  response: ServerResponse,
  delayMs: number,
): Promise<void> {
  if (mode === 'hanging') return
  await delay(delayMs)
  response.statusCode = mode === 'failing' ? 503 : 200
  response.end(mode === 'malformed' ? '{"errors":[]}' : JSON.stringify(findErrors(account)))
}

function findErrors(account: string) {
  if (account === 'acc_koi') return []
  return [
    { message: 'Webhook returned 500', occurred_at: '2026-11-21T09:30:00Z' },
    { message: 'Card declined', occurred_at: '2026-11-20T17:05:00Z' },
  ]
}
