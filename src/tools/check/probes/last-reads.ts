import { createCustomers, isPassed } from '../customers.ts'
import { readCookies } from './auth-probes.ts'
import type { Plan } from './contract-probes.ts'
import type { Probe } from '../probe.ts'

/** The domain of the pages of other sites. */
const FOREIGN = 'sidecard-check.example'

/** Matches an origin that a check made up. */
export const FOREIGN_ORIGIN = /^null$|sidecard-check\.example$/

/** Headers of a browser or a proxy, of which a cache may make its key. */
const BROWSER = {
  accept: 'text/html',
  'accept-language': 'de-DE',
  'x-forwarded-for': '203.0.113.7',
  'if-none-match': '*',
  'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
  range: 'bytes=0-',
}

/**
 * Fetches the data of each passed customer once more, because other requests may have
 * changed it. After each read, a page in a browser asks for a different customer. A careless
 * endpoint may respond to it from a separate cache, or with the customer it showed last.
 */
export async function runLastReads(plan: Plan): Promise<readonly Probe[]> {
  const { prober, settings, customer, random } = plan
  const passed = createCustomers(settings.customers, random).filter(isPassed)
  const [first = customer, second = first] = passed
  const site = { ...BROWSER, origin: `https://${FOREIGN}` }
  const hasOwnOrigin = Object.keys(settings.headers).some((name) => /^origin$/i.test(name))
  const pages = [
    [second, site],
    [first, site],
    [second, { accept: 'application/xml', origin: 'null' }],
    [first, { origin: `${prober.url.origin}.${FOREIGN}` }],
  ] as const
  const sent: Probe[] = []
  /* oxlint-disable no-await-in-loop -- the order is the point */
  for (const index of Array(Math.max(passed.length, pages.length)).keys()) {
    const [own, page] = [passed[index], pages[index]]
    if (own !== undefined) {
      const name = `data fetch for ${own.name} after the other requests`
      sent.push(await prober.data('known', name, own))
    }
    if (page === undefined || hasOwnOrigin) continue
    const cookie = readCookies(sent)
    const headers = { ...(cookie && { cookie }), ...page[1], ...settings.headers }
    const name = `data fetch for ${page[0].name} from a page`
    sent.push(await prober.withHeaders(headers).data('origin', name, page[0]))
  }
  /* oxlint-enable no-await-in-loop */
  return sent
}
