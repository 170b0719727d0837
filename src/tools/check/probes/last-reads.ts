import { fetchDataQuery } from '../../service/endpoint/query.ts'
import { createCustomers, createFakeCustomer, type Customer, isPassed } from '../customers.ts'
import { readCookies } from './auth-probes.ts'
import { BROWSER, typed } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import type { Probe } from '../probe.ts'
import type { Prober } from './prober.ts'

/** The domain of the pages of other sites. */
const FOREIGN = 'sidecard-check.example'

/** Matches an origin that a check made up. */
export const FOREIGN_ORIGIN = /^null$|sidecard-check\.example$/

/** The time after which a request is canceled, in milliseconds. */
const CANCELED_AFTER_MS = 10

type Disturb = (prober: Prober, other: Customer, nobody: Customer) => Promise<Probe>

/** Requests after which a careless endpoint shows a different customer. The first two are invalid. */
const DISTURBANCES: readonly Disturb[] = [
  (prober, { ids }) => prober.raw('discarded', 'invalid request', fetchDataQuery(ids).slice(1)),
  (prober, { ids }) =>
    prober.raw('discarded', 'invalid request', typed('ping')(fetchDataQuery(ids))),
  (prober) => prober.handshake('discarded', 'handshake between data fetches', 'sidecard'),
  (prober, other) =>
    prober.with({ timeoutMs: CANCELED_AFTER_MS }).data('discarded', 'canceled request', other),
  (prober, _other, nobody) => prober.data('fake', 'data fetch for nobody', nobody),
]

/** Sends one of the disturbing requests about a different customer, in turn. */
export function disturb({ prober, settings, random }: Plan, other: Customer, turn: number) {
  const usable = DISTURBANCES.slice(settings.profile === 'full' ? 0 : 2)
  const nobody = createFakeCustomer(random, 'nobody', settings.customers[0].ids)
  return usable[turn % usable.length]!(prober, other, nobody)
}

/**
 * Fetches the data of each passed customer again, because other requests may have
 * changed it. After each read, a page in a browser asks for a different customer. A careless
 * endpoint may respond to it from a separate cache, or with the customer it showed last.
 */
export async function runLastReads(plan: Plan): Promise<readonly Probe[]> {
  const { prober, settings, customer, random } = plan
  const passed = createCustomers(settings.customers, random).filter(isPassed).toReversed()
  const site = { ...BROWSER, origin: `https://${FOREIGN}` }
  const hasOwnOrigin = Object.keys(settings.headers).some((name) => /^origin$/i.test(name))
  const pages = [
    site,
    { accept: 'application/xml', origin: 'null' },
    { origin: `${prober.url.origin}.${FOREIGN}` },
    site,
  ]
  const turns = Math.max(passed.length, DISTURBANCES.length)
  const sent: Probe[] = []
  /* oxlint-disable no-await-in-loop -- the order is the point */
  for (const turn of Array(turns).keys()) {
    const index = Math.floor((turn * passed.length) / turns)
    const [own, other = customer] = [passed[index], passed.at(index - 1)]
    if (own !== undefined) {
      sent.push(await disturb(plan, other, turn))
      const name = `data fetch for ${own.name} after the other requests`
      sent.push(await prober.data('known', name, own))
    }
    const page = pages[turn]
    if (page === undefined || hasOwnOrigin) continue
    const cookie = readCookies(sent)
    const headers = { ...(cookie && { cookie }), ...page, ...settings.headers }
    const name = `data fetch for ${other.name} from a page`
    sent.push(await prober.with({ headers }).data('origin', name, other))
  }
  /* oxlint-enable no-await-in-loop */
  return sent
}
