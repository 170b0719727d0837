import { missingVariants, wrongVariants } from './auth-variants.ts'
import type { AuthVariant } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import type { Capabilities } from './parameter-probes.ts'
import type { Limiter } from './limiter.ts'
import type { ProbeOf } from './probe.ts'

type AnyAuthProbe = ProbeOf['authHandshake' | 'authData']

/**
 * Sends requests as an unauthenticated caller would. Wrong values are only sent
 * for headers that the endpoint requires, because an endpoint that accepts either
 * of two credentials, or reads only one of them, is not open.
 */
export async function runAuthProbes(
  plan: Plan,
  working: Pick<Capabilities, 'handshake' | 'data'>,
  credentials: readonly string[],
  run: Limiter,
): Promise<readonly AnyAuthProbe[]> {
  if (credentials.length === 0) return []
  const { headers } = plan.settings
  const missing = await sendVariants(plan, working, missingVariants(headers, credentials), run)
  const required = credentials.filter((name) =>
    missing.some(({ kind, omitted, ok }) => kind === 'single' && omitted === name && !ok),
  )
  const wrong = required.length > 0 ? required.map((name) => [name]) : [credentials]
  const variants = wrong.flatMap((names) => wrongVariants(headers, names, plan.random))
  return [...missing, ...(await sendVariants(plan, working, variants, run))]
}

async function sendVariants(
  { prober, customer, random }: Plan,
  working: Pick<Capabilities, 'handshake' | 'data'>,
  variants: readonly AuthVariant[],
  run: Limiter,
): Promise<readonly AnyAuthProbe[]> {
  const probes = await Promise.all([
    ...(working.handshake ? variants : []).map(({ headers, ...variant }) =>
      run(async () => {
        const name = `handshake ${variant.description}`
        const sender = prober.withHeaders(headers)
        return { ...(await sender.handshake('authHandshake', name, random())), ...variant }
      }),
    ),
    ...(working.data ? variants : []).map(({ headers, ...variant }) =>
      run(async () => {
        const name = `data fetch ${variant.description}`
        const sender = prober.withHeaders(headers)
        return { ...(await sender.data('authData', name, customer)), ...variant }
      }),
    ),
  ])
  return probes
}
