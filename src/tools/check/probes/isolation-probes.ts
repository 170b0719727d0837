import type { Plan } from './contract-probes.ts'
import { createCustomers, createFakeCustomer, createOwner, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import { findSuspicion } from '../responses/isolation.ts'
import type { Limiter } from './limiter.ts'
import type { DataProbe, Probe } from '../probe.ts'
import { selectTrait } from '../responses/roles.ts'

/** The number of reads of each customer, alone and while others are read. */
const ALONE_READS = 2
const TOGETHER_READS = 2

/** The maximum number of reads that confirm a suspicion. */
const MAX_CONFIRMING_READS = 60

/**
 * Fetches the data of the passed customers and of a made-up one: first one at a
 * time, which shows whose data an endpoint remembers, then all at once. They share
 * every ID that was not passed, except for the issue, so that a cache whose key is
 * one of these IDs confuses them.
 */
export async function runIsolationProbes(
  { prober, settings, random }: Plan,
  hasPayload: boolean,
  run: Limiter,
): Promise<readonly Probe[]> {
  const owner = createOwner(random)
  const passed = createCustomers(settings.customers, random, owner).filter(isPassed)
  if (passed.length === 0) return []
  const madeUp = createFakeCustomer(random, 'made-up customer 6', settings.customers[0].ids, owner)
  const customers = [...passed, madeUp]
  const alone: Probe[] = []
  for (const customer of repeat(customers, ALONE_READS)) {
    const name = `data fetch for ${customer.name} alone`
    // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
    alone.push(await prober.data('alone', name, customer))
  }
  const together = [
    ...repeat(customers, TOGETHER_READS),
    // Without a payload, more reads find no more mix-ups.
    ...repeat(passed, hasPayload ? settings.isolationSamples - TOGETHER_READS : 0),
  ].map((customer) =>
    run(() => {
      const role = isPassed(customer) ? 'known' : 'fake'
      return prober.data(role, `data fetch for ${customer.name} among others`, customer)
    }),
  )
  return [...alone, ...(await Promise.all(together))]
}

/**
 * Fetches the data of each passed customer once more, because another request may
 * have changed it.
 */
export async function runLastReads(
  { prober, settings, random }: Plan,
  run: Limiter,
): Promise<readonly Probe[]> {
  const passed = createCustomers(settings.customers, random).filter(isPassed)
  const reads = passed.map((customer) => {
    const name = `data fetch for ${customer.name} after the other requests`
    return run(() => prober.data('known', name, customer))
  })
  return Promise.all(reads)
}

/**
 * Reads two customers again, one at a time, to rule out a coincidence: a text that
 * changes at random, or for everyone, is not evidence.
 */
export async function confirmSuspicions(
  { prober }: Plan,
  sent: readonly Probe[],
): Promise<readonly Probe[]> {
  const added: DataProbe[] = []
  while (added.length < MAX_CONFIRMING_READS) {
    const usable = [...sent, ...added].filter(({ rateLimited }) => !rateLimited)
    const suspicion = findSuspicion(selectTrait(usable, 'identity'))
    if (suspicion === undefined) break
    for (const customer of [suspicion.owner, suspicion.probe.customer]) {
      const name = `data fetch for ${customer.name} alone`
      // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
      added.push(await prober.data('alone', name, customer))
    }
  }
  return added
}

function repeat(customers: readonly Customer[], count: number): readonly Customer[] {
  return Array.from({ length: count }, () => customers).flat()
}
