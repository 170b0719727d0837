/// <reference types="node" />
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fixture from './fixtures/stripe.json' with { type: 'json' }

interface Resource {
  readonly id: string
  readonly email?: string
  readonly customer?: string
  readonly metadata?: Readonly<Record<string, string | undefined>>
}

/**
 * A local HTTP server with the parts of Stripe's API that src/stripe.ts uses: the
 * search for customers by metadata and by email, the subscriptions and invoices
 * of a customer, and products. It does not replace Stripe, so test with your
 * account in a sandbox before you deploy.
 */
export async function startStripeServer() {
  const data: Readonly<Record<string, readonly Resource[]>> = fixture
  const failing = new Set<string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const [, , resource = '', id] = pathname.split('/')
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const list = (items: readonly Resource[] = []) =>
      send(200, { object: 'list', data: items, has_more: false, url: pathname })
    if (failing.has(resource)) return send(500, { error: { type: 'api_error', message: 'down' } })
    if (request.headers.authorization !== 'Bearer rk_test_1') {
      return send(401, { error: { type: 'invalid_request_error', message: 'Invalid API key' } })
    }
    const items = data[resource] ?? []
    if (id === 'search') {
      const match = parseQuery(searchParams.get('query') ?? '')
      return list(items.filter(match))
    }
    if (id !== undefined) {
      const found = items.find((item) => item.id === id)
      return found === undefined
        ? send(404, { error: { type: 'invalid_request_error', code: 'resource_missing' } })
        : send(200, found)
    }
    return list(items.filter((item) => item.customer === searchParams.get('customer')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    config: { host: '127.0.0.1', port, protocol: 'http' },
    /** Makes a resource respond with 500. */
    fail: (resource: string) => void failing.add(resource),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  } as const
}

/**
 * Parses the two kinds of search queries that the recipe sends. Stripe's search
 * ignores letter case.
 */
function parseQuery(query: string): (item: Resource) => boolean {
  const [, field, key, value = ''] = /^(?:(email)|metadata\["(\w+)"\]):"(.*)"$/.exec(query) ?? []
  const wanted = value.replaceAll(/\\(.)/g, '$1').toLowerCase()
  if (field === 'email') return ({ email }) => email?.toLowerCase() === wanted
  return ({ metadata = {} }) => key !== undefined && metadata[key]?.toLowerCase() === wanted
}
