import type { Query } from '../../service/endpoint/query.ts'
import type { Plan } from './contract-probes.ts'
import type { Limiter } from './limiter.ts'
import { type Capabilities, parameterTasks } from './parameter-probes.ts'
import type { InvalidRequestProbe, Probe } from '../probe.ts'

/** The header of the canary. An endpoint whose response contains its value discloses headers. */
const CANARY_HEADER = 'x-sidecard-check'

const INVALID_QUERIES: ReadonlyArray<
  readonly [kind: InvalidRequestProbe['kind'], name: string, query: Query]
> = [
  ['request_type', 'request without a request_type', ''],
  ['request_type', 'request with an unknown request_type', 'request_type=sidecard_check'],
  ['code', 'handshake without a code', 'request_type=verify'],
  ['code', 'handshake with an empty code', 'request_type=verify&code='],
  ['value', 'handshake with two codes', 'request_type=verify&code=one&code=two'],
  ['value', 'data fetch with an operator', 'request_type=fetch_data&account_id[$ne]=x'],
  ['value', 'data fetch with two accounts', 'request_type=fetch_data&account_id=x&account_id=y'],
  ['value', 'data fetch with a blank account', 'request_type=fetch_data&account_id=+'],
  ['value', 'data fetch with a zero byte', 'request_type=fetch_data&account_id=%00'],
  ['value', 'data fetch with a broken email', 'request_type=fetch_data&requester_email=sidecard'],
  [
    'encoding',
    'data fetch with invalid percent-encoding',
    'request_type=fetch_data&account_id=%E0%A4%A',
  ],
  // The percent-encoding ends in the middle of a character, which strict decoders reject.
  ['encoding', 'handshake with invalid percent-encoding', 'request_type=verify&code=%E0%A4%A'],
]

/** Sends a request again if it timed out, because the other requests may have slowed it down. */
async function sendAgain(task: () => Promise<Probe>): Promise<Probe> {
  const probe = await task()
  return probe.exchange.failure?.kind === 'timeout' ? task() : probe
}

/**
 * Sends the requests that the service never sends. A request without parameters
 * can crash a process that does not handle errors, so these requests are not sent
 * in production.
 */
export async function runInvalidRequestProbes(
  plan: Plan,
  working: Capabilities,
  run: Limiter,
): Promise<readonly Probe[]> {
  const { prober, settings, customer, random } = plan
  const value = `canary-${random()}`
  const withCanary = prober.with({ headers: { ...settings.headers, [CANARY_HEADER]: value } })
  const sendsInvalid = settings.profile === 'full'
  const canary = async () => {
    const name = 'data fetch with an extra header'
    // If data fetches fail, the response is only searched for the value of the header.
    const role = working.data ? 'canary' : 'invalidCanary'
    return { ...(await withCanary.data(role, name, customer)), value }
  }
  const invalidCanary = async () => {
    const name = 'request without a request_type, with an extra header'
    return { ...(await withCanary.raw('invalidCanary', name, [])), value }
  }
  // A handshake that gets no response costs a whole timeout, and says nothing.
  const queries = INVALID_QUERIES.filter(
    ([, name]) => working.handshake || !name.startsWith('handshake'),
  )
  const invalid = queries.map(([kind, name, query]) => async () => ({
    ...(await prober.raw('invalid', name, query)),
    kind,
  }))
  return Promise.all([
    ...parameterTasks(plan, working).map((task) => run<Probe>(() => sendAgain(task))),
    ...(sendsInvalid ? invalid : []).map((task) => run<Probe>(task)),
    run<Probe>(canary),
    ...(sendsInvalid ? [run<Probe>(invalidCanary)] : []),
  ])
}
