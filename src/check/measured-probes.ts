import { regularCode } from './codes.ts'
import type { Plan } from './contract-probes.ts'
import type { Connection } from './options.ts'
import type { Probe, ProbeOf } from './probe.ts'

/** Time for bytes that a server sends after its response, in milliseconds. */
const EXTRA_PAUSE_MS = 100

/** Sends handshakes and data fetches to measure them, one of each kind at a time. */
export async function runRepeats(plan: Plan): Promise<readonly Probe[]> {
  const { prober, settings, customer, random } = plan
  const probes = await Promise.all([
    inSequence(settings.repeat, (index) => {
      const name = `repeated handshake ${index + 1}`
      return prober.handshake('repeatedHandshake', name, regularCode(index, random()))
    }),
    inSequence(settings.repeat, (index) =>
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

/**
 * Sends two handshakes on one connection. A server may close an idle connection
 * at any time, so a failure of the second one only counts if it is reproducible.
 * Returns only the first if the endpoint closed the connection, or if it failed.
 */
export async function runReuseProbe(
  plan: Plan,
  openConnection: () => Connection,
): Promise<readonly Probe[]> {
  const once = await reuseOnce(plan, openConnection())
  return once[1]?.readable === false ? reuseOnce(plan, openConnection()) : once
}

async function reuseOnce(
  { prober, settings, random }: Plan,
  { send, wasReused, hasExtraBytes, close }: Connection,
): Promise<ReadonlyArray<ProbeOf['reuse']>> {
  const connected = prober.withSend(send)
  const handshake = async (which: string) => {
    const probe = await connected.handshake(
      'reuse',
      `${which} handshake on one connection`,
      random(),
    )
    await settings.sleep(EXTRA_PAUSE_MS)
    return { ...probe, hasExtraBytes: hasExtraBytes() }
  }
  try {
    const first = await handshake('first')
    if (!first.readable || first.hasExtraBytes) return [first]
    const second = await handshake('second')
    return wasReused() ? [first, second] : [first]
  } finally {
    close()
  }
}
