import { CHARACTER_CODES, plainCode, QUOTING_CODE } from './codes.ts'
import type { CodeKind } from './codes.ts'
import { inventCustomers } from './customers.ts'
import type { Customer } from './customers.ts'
import { createLimiter } from './limiter.ts'
import type { Settings } from './options.ts'
import type { CharacterProbe, DataProbe, Evidence, HandshakeProbe, Probe } from './probe.ts'
import type { Prober } from './prober.ts'
import { confirmed, isSilent } from './retry.ts'

/** What the parts of the plan share. */
export interface Plan {
  readonly prober: Prober
  readonly settings: Settings
  readonly customer: Customer
  readonly random: () => string
  /** The most requests at the same time. */
  readonly width: number
}

/** The first handshake and the first data fetch. */
export interface FirstAnswers {
  readonly handshake: HandshakeProbe
  readonly data: DataProbe
}

/** Sends the first handshake and the first data fetch, which tell whether there is anybody. */
export async function askFirst(plan: Plan): Promise<FirstAnswers> {
  const askHandshake = () => plan.prober.handshake('handshake 1', plainCode(0, plan.random()))
  const askData = () => plan.prober.data('data fetch 1', plan.customer)
  const [handshake, data] = await Promise.all([askHandshake(), askData()])
  const crowd = crowdOf(plan, [handshake, data])
  return {
    handshake: await confirmed(handshake, crowd, askHandshake),
    data: await confirmed(data, crowd, askData),
  }
}

/** What the contract part of the plan learnt. */
export interface ContractAnswers extends Pick<
  Evidence,
  'handshakes' | 'characters' | 'samples' | 'customers'
> {
  /** True when answers were late only because so much was asked at once. */
  readonly crowded: boolean
}

/** Sends the requests that the service sends, over and over, with codes and customers of all kinds. */
export async function askContract(plan: Plan, first: FirstAnswers): Promise<ContractAnswers> {
  const { prober, settings, customer, random } = plan
  const run = createLimiter(plan.width)
  // One more is enough to see whether silence is the rule or an accident.
  const more = (probe: Probe) => range(isSilent(probe) ? 1 : settings.samples - 1)
  const handshake = (index: number) => () =>
    prober.handshake(`handshake ${index + 2}`, plainCode(index + 1, random()))
  const sample = (index: number) => () => prober.data(`data fetch ${index + 2}`, customer)
  const others = inventCustomers(random, settings.ids).map(
    (other, index) => () => prober.data(`data fetch of customer ${index + 2}`, other),
  )
  const character = (kind: CodeKind) => async (): Promise<CharacterProbe> => ({
    ...(await prober.handshake(`handshake with ${kind.holds}`, kind.make(random()))),
    holds: kind.holds,
    kind: kind.kind,
  })
  const asks = {
    handshakes: more(first.handshake).map(handshake),
    customers: first.data.verdict.ok ? others : [],
    samples: more(first.data).map(sample),
    characters: (first.handshake.verdict.ok ? [...CHARACTER_CODES, QUOTING_CODE] : []).map(
      character,
    ),
  }
  const all = <Kind>(tasks: ReadonlyArray<() => Promise<Kind>>) => Promise.all(tasks.map(run))
  const [handshakes, customers, samples, characters] = await Promise.all([
    all(asks.handshakes),
    all(asks.customers),
    all(asks.samples),
    all(asks.characters),
  ])
  const crowd = crowdOf(plan, [first.handshake, first.data, ...handshakes, ...samples])
  let crowded = false
  const settle = async <Kind extends Probe>(
    probes: readonly Kind[],
    tasks: ReadonlyArray<() => Promise<Kind>>,
  ): Promise<Kind[]> => {
    const settled: Kind[] = []
    // One after the other: alone is the point.
    for (const [index, probe] of probes.entries()) {
      // oxlint-disable-next-line no-await-in-loop
      const alone = await confirmed(probe, crowd, tasks[index] ?? (async () => probe))
      crowded ||= alone !== probe
      settled.push(alone)
    }
    return settled
  }
  const settled = {
    handshakes: [first.handshake, ...(await settle(handshakes, asks.handshakes))],
    samples: [first.data, ...(await settle(samples, asks.samples))],
    customers: await settle(customers, asks.customers),
    characters: await settle(characters, asks.characters),
  }
  return { ...settled, crowded }
}

function crowdOf({ width, settings }: Plan, others: readonly Probe[]) {
  return { others, width: Math.max(2, width), timeoutMs: settings.timeoutMs }
}

function range(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}
