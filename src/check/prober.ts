import { createCaller } from '../desk/caller.ts'
import type { Caller } from '../desk/caller.ts'
import { judgeData } from '../desk/data-answer.ts'
import { fetchDataQuery, verifyQuery } from '../desk/query.ts'
import type { FetchDataIds, Query } from '../desk/query.ts'
import { dataFindings } from '../desk/rules/index.ts'
import type { Target } from '../desk/target.ts'
import { judgeHandshake } from '../desk/verify.ts'
import type { Customer } from './customers.ts'
import type { CheckOptions, Settings } from './options.ts'
import type { DataProbe, HandshakeProbe, Probe } from './probe.ts'

/** Sends the requests of the plan, with the right custom headers or with others. */
export interface Prober {
  readonly caller: Caller
  handshake(name: string, code: string): Promise<HandshakeProbe>
  data(name: string, customer: Customer, ids?: FetchDataIds): Promise<DataProbe>
  raw(name: string, query: Query): Promise<Probe>
  /** The same prober with other headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Prober
}

/** Makes the prober of one check. */
export function createProber(
  target: Target,
  options: CheckOptions,
  settings: Settings,
  onAnswer: () => void,
): Prober {
  const make = (headers: Readonly<Record<string, string>>): Prober => {
    const { timeoutMs } = settings
    const caller = createCaller({ ...options, target, headers, timeoutMs })
    const raw = async (name: string, query: Query): Promise<Probe> => {
      const exchange = await caller.send(query)
      onAnswer()
      return { name, exchange }
    }
    return {
      caller,
      raw,
      withHeaders: make,
      async handshake(name, code) {
        const probe = await raw(name, verifyQuery(code))
        return { ...probe, code, verdict: judgeHandshake(code, probe.exchange) }
      },
      async data(name, customer, ids = customer.ids) {
        const probe = await raw(name, fetchDataQuery(ids))
        const verdict = judgeData(probe.exchange)
        const findings = verdict.ok ? dataFindings(verdict) : []
        return { ...probe, customer, verdict, findings }
      },
    }
  }
  return make(settings.headers)
}
