import type { Plan } from './contract-probes.ts'
import {
  createCustomer,
  createCustomers,
  createFakeCustomer,
  createOwner,
  type Customer,
  isPassed,
} from '../customers.ts'
import { findSuspicion } from '../responses/isolation.ts'
import type { Limiter } from './limiter.ts'
import type { DataProbe, Probe } from '../probe.ts'
import { disturb } from './last-reads.ts'
import { selectTrait } from '../responses/roles.ts'

/** The number of samples of each passed customer that are sent in any case, some of them by other steps. */
const OTHER_READS = 32

/** The maximum number of pairs of reads that confirm a suspicion. */
const MAX_CONFIRMING_READS = 120

/**
 * Fetches the data of the passed customers and of a made-up one: first one at a
 * time, which shows whose data an endpoint remembers, then all at once. They share
 * every ID that was not passed, except for the issue, so that a cache whose key is
 * one of these IDs confuses them. Right after each read, the same customer is read with
 * IDs that no other one has, which shows what its data is.
 */
export async function runIsolationProbes(
  plan: Plan,
  hasPayload: boolean,
  run: Limiter,
): Promise<readonly Probe[]> {
  const { prober, settings, random } = plan
  const owner = createOwner(random)
  const passed = createCustomers(settings.customers, random, owner).filter(isPassed)
  if (passed.length === 0) return []
  const madeUp = createFakeCustomer(random, 'made-up customer 6', settings.customers[0].ids, owner)
  const customers = [...passed, madeUp]
  const inTurn: Probe[] = []
  for (const customer of [...customers, passed[0]!, madeUp, ...passed.slice(1)]) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
    inTurn.push(...(await readTwice(plan, customer)))
  }
  // Without a payload, more reads find no more mix-ups.
  const more = hasPayload ? Math.max(0, settings.isolationSamples - OTHER_READS) : 0
  // The first customer was already read for the other samples.
  const samples = Array.from({ length: more }, (_, at) =>
    at < settings.samples ? passed.slice(1) : passed,
  )
  const together = [customers, passed, ...samples].flat().map((customer) => {
    const name = `data fetch for ${customer.name} among others`
    return run(() => prober.data(isPassed(customer) ? 'known' : 'fake', name, customer))
  })
  return [...inTurn, ...(await Promise.all(together))]
}

/** Reads a customer after a different one, and again with other made-up IDs. */
async function readTwice({ prober, random }: Plan, customer: Customer) {
  const { name, passed, ids } = customer
  const app = { app_id: ids.app_id, widget_id: ids.widget_id }
  // Without IDs, there is nobody else.
  const own = ids.issue_id ? createCustomer(random, name, { ...app, ...passed }) : customer
  const after = `data fetch for ${name} after a different customer`
  return [
    await prober.data(isPassed(customer) ? 'known' : 'fake', after, customer),
    await prober.data('alone', `data fetch for ${name} alone`, own),
  ]
}

/**
 * Reads two customers again, one at a time, to rule out a coincidence: a text that
 * changes at random, or for everyone, is not evidence.
 */
export async function confirmSuspicions(plan: Plan, sent: readonly Probe[]) {
  const added: DataProbe[] = []
  while (added.length < 2 * MAX_CONFIRMING_READS) {
    const usable = [...sent, ...added].filter(({ rateLimited }) => !rateLimited)
    const suspicion = findSuspicion(selectTrait(usable, 'identity'))
    if (suspicion === undefined) break
    const pair = [suspicion.owner, suspicion.probe.customer] as const
    for (const [index, customer] of pair.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
      await disturb(plan, pair[1 - index]!, added.length)
      // oxlint-disable-next-line no-await-in-loop -- as above
      added.push(...(await readTwice(plan, customer)))
    }
  }
  return added
}
