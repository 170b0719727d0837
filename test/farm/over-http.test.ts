import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTransport } from '../../src/tools/cli/transport/transport.ts'
import { createEndpointClient } from '../../src/tools/service/endpoint-client.ts'
import type { Query } from '../../src/tools/service/endpoint/query.ts'
import type { SendRequest } from '../../src/tools/service/endpoint/target.ts'
import { HARM, OPTIONS, SEEDS } from './farm.ts'
import { endpoint, LUMEN, NORTHWIND } from './seed.ts'

type Handler = ReturnType<typeof endpoint>

/** The endpoint that the server serves. */
let serve: Handler
const server = createServer((incoming, outgoing) => {
  // Some seeds repeat the headers that they received, and HTTP adds some.
  const custom = Object.entries(incoming.headersDistinct).filter(([name]) => name.startsWith('x-'))
  const headers = custom.map(([name, values = []]): [string, string] => [name, values.join()])
  const request = new Request(`http://${incoming.headers.host}${incoming.url}`, { headers })
  const respond = async () => {
    const response = await serve(request)
    const body = new Uint8Array(await response.arrayBuffer())
    outgoing.sendDate = false
    outgoing.writeHead(response.status, response.statusText, [...response.headers].flat())
    outgoing.end(body)
  }
  respond().catch(() => outgoing.destroy())
})
let url = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close())

const fetchData = (id: string): Query => [
  ['request_type', 'fetch_data'],
  ['account_id', id],
]
const HANDSHAKE: Query = [
  ['request_type', 'verify'],
  ['code', 'code-1'],
]
const NAMED = fetchData(NORTHWIND.id)
const SECRET = OPTIONS.headers
const REQUESTS = [
  ...[HANDSHAKE, NAMED, fetchData(LUMEN.id), fetchData('unknown'), []].map(
    (query) => [SECRET, query] as const,
  ),
  [{ 'x-key': 'wrong' }, NAMED],
  [{}, NAMED],
  [{}, HANDSHAKE],
] as const

/** Sends the requests one after the other, and returns all that rules can read. */
async function record(send: SendRequest) {
  const all: unknown[] = []
  for (const [headers = {}, query] of REQUESTS) {
    const client = createEndpointClient({ target: url, headers, now: () => 0, fetch: send })
    // oxlint-disable-next-line no-await-in-loop -- an endpoint may remember earlier requests
    const { response, failure } = await client.send(query)
    const { connection: _, 'transfer-encoding': __, ...own } = response?.headers ?? {}
    all.push({ ...response, headers: own, failure })
  }
  return all
}

it.each([...HARM])(
  'reads the same responses over HTTP as in process: %s',
  { timeout: 120_000 },
  async (group) => {
    const harmful = SEEDS.filter((seed) => seed.group === group)
    expect(harmful.length).toBeGreaterThan(20)
    for (const { id, defect } of harmful) {
      const inProcess = endpoint(defect())
      // oxlint-disable-next-line no-await-in-loop -- the server serves one endpoint
      const expected = await record((request) => inProcess(request))
      serve = endpoint(defect())
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect({ id, sent: await record(createTransport().fetch) }).toEqual({ id, sent: expected })
    }
  },
)
