import { CHARACTER_CODES, QUOTING_CODE, regularCode } from './codes.ts'
import type { CodeVariant } from './codes.ts'
import { createFakeCustomers, sampleCustomer } from './customers.ts'
import type { Customer } from './customers.ts'
import { createLimiter } from './limiter.ts'
import type { Settings } from './options.ts'
import type { CharacterProbe, DataProbe, Evidence, HandshakeProbe, Probe } from './probe.ts'
import type { Prober } from './prober.ts'
import { hasNoResponse, retryIfOverloaded } from './retry.ts'

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
export interface FirstProbes {
  readonly handshake: HandshakeProbe
  readonly data: DataProbe
}

/** Sends the first handshake and the first data fetch, which show whether the endpoint responds. */
export async function runFirstProbes(plan: Plan): Promise<FirstProbes> {
  const sendHandshake = () => plan.prober.handshake('handshake 1', regularCode(0, plan.random()))
  const sendData = () => plan.prober.data('data fetch 1', plan.customer)
  const [handshake, data] = await Promise.all([sendHandshake(), sendData()])
  const load = loadContext(plan, [handshake, data])
  return {
    handshake: await retryIfOverloaded(handshake, load, sendHandshake),
    data: await retryIfOverloaded(data, load, sendData),
  }
}

/** The probes with the requests that the service sends. */
export interface ContractEvidence extends Pick<
  Evidence,
  'handshakes' | 'characters' | 'samples' | 'knownCustomers' | 'fakeCustomers'
> {
  /** Whether responses were slow only because of the number of concurrent requests. */
  readonly overloaded: boolean
}

/** Sends the requests that the service sends, with different codes and customers. */
export async function runContractProbes(plan: Plan, first: FirstProbes): Promise<ContractEvidence> {
  const { prober, settings, customer, random } = plan
  const run = createLimiter(plan.concurrency)
  const isMonitor = settings.profile === 'monitor'
  // If the first request got no response, one more shows whether that was an accident.
  const more = (probe: Probe) => range(hasNoResponse(probe) ? 1 : settings.samples - 1)
  const others = settings.customers.slice(1).map((ids, index) => {
    const customer = sampleCustomer(random, ids)
    return () => prober.data(`data fetch for customer ${index + 2}`, customer)
  })
  const fakes = createFakeCustomers(random, settings.customers[0]).map(
    (fake, index) => () => prober.data(`data fetch for made-up customer ${index + 1}`, fake),
  )
  const character = (variant: CodeVariant) => async (): Promise<CharacterProbe> => ({
    ...(await prober.handshake(`handshake with ${variant.contains}`, variant.make(random()))),
    contains: variant.contains,
    kind: variant.kind,
  })
  const tasks = {
    handshakes: more(first.handshake).map(
      (index) => () => prober.handshake(`handshake ${index + 2}`, regularCode(index + 1, random())),
    ),
    knownCustomers: first.data.payload === undefined ? [] : others,
    fakeCustomers: first.data.payload === undefined || isMonitor ? [] : fakes,
    samples: more(first.data).map(
      (index) => () => prober.data(`data fetch ${index + 2}`, customer),
    ),
    characters:
      first.handshake.readable && !isMonitor
        ? [...CHARACTER_CODES, QUOTING_CODE].map(character)
        : [],
  }
  const all = <Kind>(list: ReadonlyArray<() => Promise<Kind>>) => Promise.all(list.map(run))
  const [handshakes, knownCustomers, fakeCustomers, samples, characters] = await Promise.all([
    all(tasks.handshakes),
    all(tasks.knownCustomers),
    all(tasks.fakeCustomers),
    all(tasks.samples),
    all(tasks.characters),
  ])
  const load = loadContext(plan, [first.handshake, first.data, ...handshakes, ...samples])
  let overloaded = false
  const settle = async <Kind extends Probe>(
    probes: readonly Kind[],
    list: ReadonlyArray<() => Promise<Kind>>,
  ): Promise<Kind[]> => {
    const settled: Kind[] = []
    for (const [index, probe] of probes.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
      const alone = await retryIfOverloaded(probe, load, list[index] ?? (async () => probe))
      overloaded ||= alone !== probe
      settled.push(alone)
    }
    return settled
  }
  const settled = {
    handshakes: [first.handshake, ...(await settle(handshakes, tasks.handshakes))],
    samples: [first.data, ...(await settle(samples, tasks.samples))],
    knownCustomers: await settle(knownCustomers, tasks.knownCustomers),
    fakeCustomers: await settle(fakeCustomers, tasks.fakeCustomers),
    characters: await settle(characters, tasks.characters),
  }
  return { ...settled, overloaded }
}

function loadContext({ concurrency, settings }: Plan, others: readonly Probe[]) {
  return { others, concurrency: Math.max(2, concurrency), timeoutMs: settings.timeoutMs }
}

function range(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}
