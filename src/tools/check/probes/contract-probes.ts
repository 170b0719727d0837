import { createCustomers, createFakeCustomers, type Customer } from '../customers.ts'
import type { Settings } from '../options.ts'
import type { CharacterProbe, DataProbe, HandshakeProbe, Probe } from '../probe.ts'
import { selectRoles } from '../responses/roles.ts'
import { CHARACTER_CODES, QUOTING_CODE, regularCode, type CodeVariant } from './codes.ts'
import { responds } from './evidence.ts'
import { createLimiter } from './limiter.ts'
import type { Prober } from './prober.ts'

/** The values that all steps of a check share. */
export interface Plan {
  readonly prober: Prober
  readonly settings: Settings
  readonly customer: Customer
  readonly random: () => string
  /** The largest number of concurrent requests. */
  readonly concurrency: number
}

/** The first handshake and the first data fetch. */
export type FirstProbes = readonly [handshake: HandshakeProbe, data: DataProbe]

/** Sends the first handshake and the first data fetch, which show whether the endpoint responds. */
export async function runFirstProbes(plan: Plan): Promise<FirstProbes> {
  const sendHandshake = () =>
    plan.prober.handshake('handshake', 'handshake 1', regularCode(0, plan.random()))
  const sendData = () => plan.prober.data('sample', 'data fetch 1', plan.customer)
  const [handshake, data] = await Promise.all([sendHandshake(), sendData()])
  return [
    await retryIfOverloaded(plan, [data], handshake, sendHandshake),
    await retryIfOverloaded(plan, [handshake], data, sendData),
  ]
}

/**
 * Sends the requests that the service sends, with different codes and customers. Also returns
 * whether responses were slow only because of the number of concurrent requests.
 */
export async function runContractProbes(plan: Plan, first: FirstProbes) {
  const { prober, settings, customer, random } = plan
  const [firstHandshake, firstData] = first
  // If the first request got no response, one more shows whether that was a coincidence.
  const more = (probe: Probe) => [
    ...Array(probe.exchange.failure === undefined ? settings.samples - 1 : 1).keys(),
  ]
  const fetchFor = (role: 'known' | 'fake', customers: readonly Customer[]) =>
    customers.map((each) => () => prober.data(role, `data fetch for ${each.name}`, each))
  const [{ ids }] = settings.customers
  const known = fetchFor('known', createCustomers(settings.customers, random).slice(1))
  const fakes = fetchFor('fake', createFakeCustomers(random, ids))
  const character = (variant: CodeVariant) => async (): Promise<CharacterProbe> => {
    const { contains, kind, text } = variant
    const name = `handshake with ${contains}`
    const code = text.replace('CODE', random())
    return { ...(await prober.handshake('character', name, code)), contains, kind }
  }
  const tasks = [
    ...more(firstHandshake).map((index) => () => {
      const name = `handshake ${index + 2}`
      return prober.handshake('handshake', name, regularCode(index + 1, random()))
    }),
    ...(responds(firstData) ? [...known, ...fakes] : []),
    ...more(firstData).map(
      (index) => () => prober.data('sample', `data fetch ${index + 2}`, customer),
    ),
    ...(firstHandshake.readable ? [...CHARACTER_CODES, QUOTING_CODE].map(character) : []),
  ]
  const run = createLimiter(plan.concurrency)
  const together: readonly Probe[] = await Promise.all(tasks.map((task) => run<Probe>(task)))
  const sent: Probe[] = [...first]
  const others = [...sent, ...selectRoles(together, ['handshake', 'sample'])]
  let overloaded = false
  for (const [index, probe] of together.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
    const alone = await retryIfOverloaded(plan, others, probe, tasks[index]!)
    overloaded ||= alone !== probe
    sent.push(alone)
  }
  return { sent, overloaded }
}

/**
 * Sends a request again, alone, if it may have timed out only because many were
 * sent at once: a server that handles one request at a time is slow, but conforms.
 * Returns the probe unchanged if the load does not explain the timeout.
 */
async function retryIfOverloaded<Kind extends Probe>(
  { concurrency, settings }: Plan,
  others: readonly Probe[],
  probe: Kind,
  again: () => Promise<Kind>,
): Promise<Kind> {
  if (probe.exchange.failure?.kind !== 'timeout') return probe
  const completed = others.filter(({ exchange }) => exchange.failure === undefined)
  const fastest = Math.min(...completed.map(({ exchange }) => exchange.durationMs))
  // If no request completed, `fastest` is Infinity, which does not mean that the endpoint is
  // overloaded.
  if (completed.length === 0 || fastest * Math.max(2, concurrency) < settings.timeoutMs)
    return probe
  return again()
}
