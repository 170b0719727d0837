import { missingVariants, variantFor, WITHOUT, wrongVariants } from './auth-variants.ts'
import type { AuthVariant } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import { nameInEachWay } from './dimensions.ts'
import { isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import type { Capabilities } from './parameter-probes.ts'
import type { Limiter } from './limiter.ts'
import type { Probe, ProbeOf } from '../probe.ts'
import { selectRoles } from '../responses/roles.ts'

type AnyAuthProbe = ProbeOf['authHandshake' | 'authData']

/**
 * Sends requests as an unauthenticated caller would: without the secret for each
 * customer, by each way to name them, and the others for the passed customers in
 * turn. A request with the secret ends them, because a firewall may block it. Wrong values are only sent for headers that the endpoint
 * requires, because an endpoint that accepts either of two credentials, or reads only
 * one of them, is not open.
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
  const read = selectRoles(sent, ['alone']).map(
    ({ customer }) => [customer.name, customer] as const,
  )
  const known = [...new Map(read).values()]
  const customers = known.length > 0 ? known : [first]
  const passed = customers.filter((each) => isPassed(each) || each === first)

  const sendHandshake = ({ headers, ...variant }: AuthVariant) =>
    run(async () => {
      const sender = prober.withHeaders(headers)
      const name = `handshake ${variant.description}`
      return { ...(await sender.handshake('authHandshake', name, random())), ...variant }
    })
  const sendData = (customer: Customer, general: AuthVariant, naming = '') =>
    run(async () => {
      const { headers, query, ...variant } = variantFor(customer, general, naming)
      const name = `data fetch ${variant.description}`
      const sender = prober.withHeaders(headers)
      const probe = await sender.data('authData', name, customer, query?.(customer.ids))
      return { ...probe, ...variant }
    })
  const send = (variants: readonly AuthVariant[]) =>
    Promise.all<AnyAuthProbe>([
      ...(working.handshake ? variants : []).filter((each) => !each.isDataOnly).map(sendHandshake),
      ...(working.data ? variants : []).flatMap((variant, index) => {
        if (variant.description === WITHOUT) {
          const named = customers.flatMap(nameInEachWay)
          return named.map(({ customer, naming }) => sendData(customer, variant, naming))
        }
        const inTurn = passed.filter((_each, turn) => turn === index % passed.length)
        return inTurn.map((customer) => sendData(customer, variant))
      }),
    ])

  const sendsInvalid = settings.profile === 'full'
  const without = missingVariants(settings.headers, credentials)
  const missing = await send(without.filter(({ query }) => sendsInvalid || query === undefined))
  const required = credentials.filter((name) =>
    missing.some(({ kind, omitted, ok }) => kind === 'single' && omitted === name && !ok),
  )
  const wrong = required.length > 0 ? required.map((name) => [name]) : [credentials]
  const variants = wrong.flatMap((names) => wrongVariants(settings.headers, names, random))
  const rejected = [...missing, ...(await send(variants))]
  const named = (working.data ? passed.filter(isPassed).flatMap(nameInEachWay) : [])
    .filter(({ naming }) => naming !== '')
    .map(({ customer, naming }) =>
      run(() => prober.data('named', `data fetch for ${customer.name}${naming}`, customer)),
    )
  const after = working.data
    ? prober.data('afterAuth', 'data fetch after the wrong secrets', first)
    : prober.handshake('afterAuth', 'handshake after the wrong secrets', random())
  return [...rejected, ...(await Promise.all(named)), await after]
}
