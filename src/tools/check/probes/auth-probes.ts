import { missingVariants, variantFor, WITHOUT, wrongVariants } from './auth-variants.ts'
import type { AuthVariant } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import { nameInEachWay } from './dimensions.ts'
import { type Customer, isPassed } from '../customers.ts'
import type { Capabilities } from './parameter-probes.ts'
import type { Limiter } from './limiter.ts'
import type { Probe } from '../probe.ts'
import { customersOf, selectRoles } from '../responses/roles.ts'

/**
 * Sends requests as an unauthenticated caller would: without the secret for each
 * customer, by each way to name them, and the others for the passed customers in
 * turn. A request with the secret ends them, because a firewall may block it. Wrong values
 * are only sent for headers that the endpoint requires, because an endpoint that accepts
 * either of two credentials, or reads only one of them, is not open.
 */
export async function runAuthProbes(
  plan: Plan,
  working: Pick<Capabilities, 'handshake' | 'data'>,
  credentials: readonly string[],
  sent: readonly Probe[],
  run: Limiter,
): Promise<readonly Probe[]> {
  if (credentials.length === 0) return []
  const { prober, random, customer: first, settings } = plan
  const known = customersOf(selectRoles(sent, ['alone']))
  const customers = known.length > 0 ? known : [first]
  const passed = customers.filter((each) => isPassed(each) || each === first)

  const sendHandshake = async ({ headers, ...variant }: AuthVariant): Promise<Probe> => {
    const sender = prober.with({ headers })
    const name = `handshake ${variant.description}`
    return { ...(await sender.handshake('authHandshake', name, random())), ...variant }
  }
  const sendData = async (customer: Customer, general: AuthVariant, naming = '') => {
    const { headers, query, ...variant } = variantFor(customer, general, naming)
    const name = `data fetch ${variant.description}`
    const sender = prober.with({ headers })
    const probe = await sender.data('authData', name, customer, query?.(customer.ids))
    return { ...probe, ...variant }
  }
  const tasksFor = (variants: readonly AuthVariant[]) => [
    ...(working.data ? variants : []).flatMap((variant, index) => {
      if (variant.description === WITHOUT) {
        const named = customers.flatMap(nameInEachWay)
        return named.map((each) => () => sendData(each.customer, variant, each.naming))
      }
      return [() => sendData(passed[index % passed.length]!, variant)]
    }),
    ...(working.handshake ? variants : [])
      .filter((each) => !each.isDataOnly)
      .map((variant) => () => sendHandshake(variant)),
  ]
  const authorized = working.data ? passed.filter(isPassed).flatMap(nameInEachWay) : []
  const reads = authorized.map(({ customer, naming }) => async () => {
    const name = `data fetch for ${customer.name}${naming || ' among requests without the headers'}`
    return prober.data(naming === '' ? 'known' : 'named', name, customer)
  })

  const sendsInvalid = settings.profile === 'full'
  const without = missingVariants(settings.headers, credentials, prober.url.origin)
  const missing = without.filter(({ query }) => sendsInvalid || query === undefined)
  // A variable that requests share may contain the secret of a different one.
  const mixed = tasksFor(missing).flatMap((task, index) => [task, ...reads.slice(index, index + 1)])
  const together = await Promise.all(mixed.map((task) => run<Probe>(task)))
  const required = credentials.filter((name) =>
    selectRoles(together, ['authHandshake', 'authData']).some(
      ({ kind, omitted, ok }) => kind === 'single' && omitted === name && !ok,
    ),
  )
  // The service sends this cookie, so that a fresh one may be right as well.
  const hasCookie = credentials.some((name) => /^cookie$/i.test(name))
  const wrong = required.length > 0 ? required.map((name) => [name]) : [credentials]
  const variants = [
    ...wrong.flatMap((names) => wrongVariants(settings.headers, names, random)),
    ...(hasCookie ? [] : withCookies(without[0]!, [...sent, ...together])),
  ]
  const rejected = await Promise.all(tasksFor(variants).map((task) => run<Probe>(task)))
  const after = working.data
    ? prober.data('afterAuth', 'data fetch after the wrong secrets', first)
    : prober.handshake('afterAuth', 'handshake after the wrong secrets', random())
  return [...together, ...rejected, await after]
}

/** Creates a variant with the cookies of earlier responses, with which an endpoint may let anybody in. */
function withCookies(variant: AuthVariant, sent: readonly Probe[]): readonly AuthVariant[] {
  const cookie = readCookies(sent)
  if (cookie === '') return []
  const description = `${variant.description}, with the cookies of other responses`
  return [{ ...variant, description, isDataOnly: true, headers: { cookie, ...variant.headers } }]
}

/** Returns the cookies of responses, as a browser sends them. */
export function readCookies(sent: readonly Probe[]): string {
  const given = sent.flatMap(({ exchange: { response } }) => [
    ...(response?.headers['set-cookie'] ?? '').matchAll(/(?:^|,\s*)([\w-]+=[^;,]*)/g),
  ])
  return [...new Set(given.map(([, pair]) => pair))].join('; ')
}
