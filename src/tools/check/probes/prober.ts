import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { connectEndpoint } from '../../service/endpoint-client.ts'
import type { EndpointSettings } from '../../service/endpoint/endpoint-options.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import { fetchDataQuery, type Query, verifyQuery } from '../../service/endpoint/query.ts'
import type { Target } from '../../service/endpoint/target.ts'
import type { Customer } from '../customers.ts'
import type { Settings } from '../options.ts'
import type { DataProbe, HandshakeProbe, Probe, Role } from '../probe.ts'
import type { RateGate } from './rate-limit.ts'
import { readData, readHandshake } from '../responses/read-response.ts'

/** Sends requests and reads the responses. */
export interface Prober {
  /** The endpoint's URL, including its own query. */
  readonly url: URL
  handshake(role: Role, name: string, code: string): Promise<HandshakeProbe>
  data(role: Role, name: string, customer: Customer, query?: Query): Promise<DataProbe>
  raw(role: Role, name: string, query: Query): Promise<Probe>
  /** Returns the same prober with other settings. With other headers, it does not ask for errors. */
  with(change: Partial<Pick<EndpointSettings, 'headers' | 'fetch' | 'timeoutMs'>>): Prober
}

/** The values that all probers of one check share. */
export interface ProberContext {
  readonly target: Target
  readonly settings: Settings
  readonly gate: RateGate
  readonly onResponse: () => void
  /** Called with a request that is repeated, whose response is only searched. */
  readonly onDiscard: (probe: Probe) => void
}

/** Creates the prober of one check, with the custom headers. */
export function createProber(
  context: ProberContext,
  // Only an endpoint on this machine is asked for the errors behind its failures.
  settings: EndpointSettings = { ...context.settings, dev: isLoopbackTarget(context.target) },
): Prober {
  const { target, gate, onResponse, onDiscard } = context
  const client = connectEndpoint(target, settings)
  const raw = async (role: Role, name: string, query: Query): Promise<Probe> => {
    const all: Exchange[] = []
    const { exchange, rateLimited } = await gate.send(async () => {
      const sent = await client.send(query)
      onResponse()
      all.push(sent)
      return sent
    })
    for (const each of all.filter((sent) => sent !== exchange)) {
      onDiscard({ role: 'discarded', name, exchange: each, rateLimited: false })
    }
    return { role, name, exchange, rateLimited }
  }
  return {
    url: client.url,
    raw,
    with: (change) =>
      createProber(context, { ...settings, ...change, dev: settings.dev && !change.headers }),
    async handshake(role, name, code) {
      const probe = await raw(role, name, verifyQuery(code))
      return { ...probe, code, ...readHandshake(code, probe.exchange) }
    },
    async data(role, name, customer, query = fetchDataQuery(customer.ids)) {
      const fetchOnce = async (): Promise<DataProbe> => {
        const probe = await raw(role, name, query)
        return { ...probe, customer, ...readData(probe.exchange) }
      }
      const probe = await fetchOnce()
      const isBusy = probe.exchange.response?.status === 503 && !probe.rateLimited
      if (!isBusy && probe.failures.every(({ stale }) => stale)) return probe
      // A server or its data source may fail for a moment, which says nothing about the endpoint.
      onDiscard({ ...probe, role: 'discarded' })
      return { ...(await fetchOnce()), earlier: probe.failures }
    },
  }
}

function isLoopbackTarget(target: Target): boolean {
  if (typeof target !== 'string' && !(target instanceof URL)) return false
  return isLoopback(URL.parse(String(target))?.hostname ?? '')
}
