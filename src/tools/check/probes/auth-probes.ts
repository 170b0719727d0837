import { missingVariants, variantFor, WITHOUT, wrongVariants } from './auth-variants.ts'
import type { AuthVariant } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import { isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import type { Capabilities } from './parameter-probes.ts'
import type { Limiter } from './limiter.ts'
import type { Probe, ProbeOf } from '../probe.ts'
import { selectRoles } from '../responses/roles.ts'

type AnyAuthProbe = ProbeOf['authHandshake' | 'authData']

/**
 * Sends requests as an unauthenticated caller would: one without the secret for each
 * customer whose data the endpoint returned before, and the others for the passed
 * customers in turn. Wrong values are only sent for headers that the endpoint
 * requires, because an endpoint that accepts either of two credentials, or reads only
 * one of them, is not open.
 */
export async function runAuthProbes(
  plan: Plan,
  working: Pick<Capabilities, 'handshake' | 'data'>,
  credentials: readonly string[],
  sent: readonly Probe[],
  run: Limiter,
): Promise<readonly AnyAuthProbe[]> {
  if (credentials.length === 0) return []
  const { prober, random, customer: first, settings } = plan
  const read = selectRoles(sent, ['alone']).filter(({ payload }) => payload !== undefined)
  const known = [...new Map(read.map(({ customer }) => [customer.name, customer])).values()]
  const customers = known.some(isPassed) ? known : [first]
  const passed = customers.filter((each) => isPassed(each) || each === first)

  const sendHandshake = ({ headers, ...variant }: AuthVariant) =>
    run(async () => {
      const sender = prober.withHeaders(headers)
      const name = `handshake ${variant.description}`
      return { ...(await sender.handshake('authHandshake', name, random())), ...variant }
    })
  const sendData = (customer: Customer, general: AuthVariant) =>
    run(async () => {
      const { headers, ...variant } = variantFor(customer, general)
      const name = `data fetch ${variant.description}`
      const sender = prober.withHeaders(headers)
      return { ...(await sender.data('authData', name, customer)), ...variant }
    })
  const send = (variants: readonly AuthVariant[]) =>
    Promise.all<AnyAuthProbe>([
      ...(working.handshake ? variants : []).map(sendHandshake),
      ...(working.data ? variants : []).flatMap((variant, index) => {
        const inTurn = passed.filter((_each, turn) => turn === index % passed.length)
        const all = variant.description === WITHOUT ? customers : inTurn
        return all.map((customer) => sendData(customer, variant))
      }),
    ])

  const missing = await send(missingVariants(settings.headers, credentials))
  const required = credentials.filter((name) =>
    missing.some(({ kind, omitted, ok }) => kind === 'single' && omitted === name && !ok),
  )
  const wrong = required.length > 0 ? required.map((name) => [name]) : [credentials]
  const variants = wrong.flatMap((names) => wrongVariants(settings.headers, names, random))
  return [...missing, ...(await send(variants))]
}
