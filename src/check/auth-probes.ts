import { missingVariants, wrongVariants } from './auth-variants.ts'
import type { AuthVariant } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import type { Capabilities } from './invalid-request-probes.ts'
import type { Limiter } from './limiter.ts'
import type { AuthProbe, DataProbe, Evidence, HandshakeProbe } from './probe.ts'

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
): Promise<Evidence['auth']> {
  if (credentials.length === 0) return { handshake: [], data: [] }
  const { headers } = plan.settings
  const missing = await sendVariants(plan, working, missingVariants(headers, credentials), run)
  const isRequired = (name: string) =>
    [...missing.data, ...missing.handshake].some(
      ({ description, probe }) => description === `without the header ${name}` && !probe.ok,
    )
  const required = credentials.filter((name) => isRequired(name))
  const wrong = required.length > 0 ? required.map((name) => [name]) : [credentials]
  const variants = wrong.flatMap((names) => wrongVariants(headers, names, plan.random))
  const rest = await sendVariants(plan, working, variants, run)
  // A missing header among several is only a finding if the endpoint also accepts requests without
  // all of them.
  const isAlone = ({ description }: AuthProbe) => description.startsWith('without the header ')
  return {
    handshake: [...missing.handshake.filter((probe) => !isAlone(probe)), ...rest.handshake],
    data: [...missing.data.filter((probe) => !isAlone(probe)), ...rest.data],
  }
}

async function sendVariants(
  { prober, customer, random }: Plan,
  working: Pick<Capabilities, 'handshake' | 'data'>,
  variants: readonly AuthVariant[],
  run: Limiter,
): Promise<Evidence['auth']> {
  const [handshake, data] = await Promise.all([
    Promise.all(
      (working.handshake ? variants : []).map(({ headers, ...variant }) =>
        run(async (): Promise<AuthProbe<HandshakeProbe>> => {
          const name = `handshake ${variant.description}`
          return { ...variant, probe: await prober.withHeaders(headers).handshake(name, random()) }
        }),
      ),
    ),
    Promise.all(
      (working.data ? variants : []).map(({ headers, ...variant }) =>
        run(async (): Promise<AuthProbe<DataProbe>> => {
          const name = `data fetch ${variant.description}`
          return { ...variant, probe: await prober.withHeaders(headers).data(name, customer) }
        }),
      ),
    ),
  ])
  return { handshake, data }
}
