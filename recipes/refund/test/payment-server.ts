/// <reference types="node" />
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Refund {
  readonly id: string
  readonly amount: number
  readonly metadata: { readonly sidecard_key: string | null }
}

/**
 * A local HTTP server with the parts of Stripe's API that src/refund.ts uses: one charge of
 * 120.00 EUR, its refunds, and idempotency keys. It does not replace Stripe, so test with your
 * account in a sandbox before you deploy.
 */
export async function startPaymentServer() {
  const world = {
    refunds: [] as Refund[],
    losesReply: false,
    isDown: false,
    /** Requests to refund stay on the way until `arrive()`; their sender sees a broken connection. */
    isSlow: false,
    /** How many of them have arrived. */
    arrived: 0,
  }
  const onTheWay: (() => void)[] = []
  const byKey = new Map<string, Refund>()
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const refunded = world.refunds.reduce((sum, { amount }) => sum + amount, 0)
    if (request.url?.startsWith('/v1/charges/')) {
      const charge = { id: 'ch_1', amount: 12_000, amount_refunded: refunded, currency: 'eur' }
      return send(200, { ...charge, billing_details: { name: 'Northwind Traders' } })
    }
    if (world.isDown) return void request.socket.destroy()
    if (request.method === 'GET') {
      return send(200, { object: 'list', data: world.refunds, has_more: false })
    }
    if (world.isSlow) {
      request.socket.destroy()
      await new Promise<void>((resolve) => onTheWay.push(resolve))
      world.arrived += 1
    }
    const body = new URLSearchParams(text)
    const amount = Number(body.get('amount'))
    const key = String(request.headers['idempotency-key'])
    if (!byKey.has(key) && refunded + amount > 12_000) {
      return send(400, { error: { type: 'invalid_request_error', message: 'too much' } })
    }
    const id = `re_${world.refunds.length + 1}`
    const refund = byKey.get(key) ?? {
      id,
      amount,
      metadata: { sidecard_key: body.get('metadata[sidecard_key]') },
    }
    if (!byKey.has(key)) world.refunds.push(refund)
    byKey.set(key, refund)
    return world.losesReply ? void request.socket.destroy() : send(200, refund)
  }
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(world, {
    arrive: () => {
      for (const go of onTheWay.splice(0)) go()
    },
    config: { host: '127.0.0.1', port, protocol: 'http' } as const,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
