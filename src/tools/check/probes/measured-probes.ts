import { regularCode } from './codes.ts'
import { missingVariants, variantFor } from './auth-variants.ts'
import type { Plan } from './contract-probes.ts'
import { responds } from './evidence.ts'
import { createCustomers, createFakeCustomer } from '../customers.ts'
import type { Connection } from '../options.ts'
import type { Probe, ProbeOf } from '../probe.ts'

/** Time for bytes that a server sends after its response, in milliseconds. */
const EXTRA_PAUSE_MS = 100

/** Sends handshakes and data fetches to measure them, one of each kind at a time. */
export async function runRepeats(plan: Plan): Promise<readonly Probe[]> {
  const { prober, settings, customer, random } = plan
  const probes = await Promise.all([
    inSequence(settings.latencySamples, (index) => {
      const name = `repeated handshake ${index + 1}`
      return prober.handshake('repeatedHandshake', name, regularCode(index, random()))
    }),
    inSequence(settings.latencySamples, (index) =>
      prober.data('repeatedData', `repeated data fetch ${index + 1}`, customer),
    ),
  ])
  return probes.flat()
}

async function inSequence(count: number, send: (index: number) => Promise<Probe>) {
  const probes: Probe[] = []
  for (let index = 0; index < count; index += 1) {
    // oxlint-disable-next-line no-await-in-loop -- concurrent requests would distort the times
    probes.push(await send(index))
  }
  return probes
}

/** The requests that test a reused connection. */
type ConnectedProbe = ProbeOf['reuse' | 'connected' | 'authData' | 'authHandshake']

/**
 * Sends handshakes, data fetches for different customers and requests without the
 * secret on one connection. A server may close an idle connection at any time, so
 * a failure of the second handshake only counts if it is reproducible.
 */
export async function runReuseProbe(
  plan: Plan,
  openConnection: () => Connection,
  credentials: readonly string[],
  hasData: boolean,
): Promise<readonly Probe[]> {
  const once = await reuseOnce(plan, openConnection(), credentials, hasData)
  const second = once.filter(({ role }) => role === 'reuse')[1]
  if (second === undefined || !('readable' in second) || second.readable) return once
  const again = await reuseOnce(plan, openConnection(), credentials, hasData)
  return [...once.map((probe) => ({ ...probe, role: 'discarded' as const })), ...again]
}

async function reuseOnce(
  { prober, settings, random, customer }: Plan,
  { send, wasReused, hasExtraBytes, close }: Connection,
  credentials: readonly string[],
  hasData: boolean,
): Promise<readonly ConnectedProbe[]> {
  const connected = prober.with({ fetch: send })
  const pause = async <P extends Probe>(probe: P) => {
    await settings.sleep(EXTRA_PAUSE_MS)
    return { ...probe, hasExtraBytes: hasExtraBytes() }
  }
  const handshake = async (which: string) =>
    pause(await connected.handshake('reuse', `${which} handshake on one connection`, random()))
  const probes: ConnectedProbe[] = []
  try {
    const first = await handshake('first')
    probes.push(first)
    if (!responds(first) || first.hasExtraBytes) return probes
    const second = await handshake('second')
    if (!wasReused()) return probes
    probes.push(second)
    if (!hasData || !responds(second)) return probes
    const others = createCustomers(settings.customers, random).slice(1, 2)
    const madeUp = createFakeCustomer(random, 'made-up customer 8', settings.customers[0].ids)
    for (const each of [customer, ...others, madeUp, others[0] ?? customer]) {
      const name = `data fetch for ${each.name} on one connection`
      // oxlint-disable-next-line no-await-in-loop -- the order is the point
      const probe = await connected.data('connected', name, each)
      // oxlint-disable-next-line no-await-in-loop -- as above
      probes.push(probes.length < 3 ? await pause(probe) : { ...probe, hasExtraBytes: false })
    }
    const [variant] = missingVariants(settings.headers, credentials)
    if (credentials.length === 0 || variant === undefined) return probes
    const outsider = connected.with({ headers: variant.headers })
    const onOld = `${variant.description}, on a connection that had them,`
    for (const each of [customer, ...others]) {
      const { description, kind, values } = variantFor(each, { ...variant, description: onOld })
      // oxlint-disable-next-line no-await-in-loop -- they share the connection
      const data = await outsider.data('authData', `data fetch ${description}`, each)
      probes.push({ ...data, description, kind, values })
    }
    const last = await outsider.handshake('authHandshake', `handshake ${onOld}`, random())
    return [...probes, { ...last, kind: 'missing', values: [], description: onOld }]
  } finally {
    close()
  }
}
