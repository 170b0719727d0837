import { regularCode } from './codes.ts'
import type { Plan } from './contract-probes.ts'
import type { Connection } from './options.ts'
import type { DataProbe, Evidence, HandshakeProbe, ReuseProbe } from './probe.ts'

/** Sends handshakes and data fetches to measure them, one of each kind at a time. */
export async function runRepeats(plan: Plan): Promise<Evidence['repeats']> {
  const { prober, settings, customer, random } = plan
  const [handshakes, data] = await Promise.all([
    inSequence<HandshakeProbe>(settings.repeat, (index) =>
      prober.handshake(`repeated handshake ${index + 1}`, regularCode(index, random())),
    ),
    inSequence<DataProbe>(settings.repeat, (index) =>
      prober.data(`repeated data fetch ${index + 1}`, customer),
    ),
  ])
  return { handshakes, data }
}

async function inSequence<Kind>(
  count: number,
  send: (index: number) => Promise<Kind>,
): Promise<readonly Kind[]> {
  const probes: Kind[] = []
  for (let index = 0; index < count; index += 1) {
    // oxlint-disable-next-line no-await-in-loop -- concurrent requests would distort the times
    probes.push(await send(index))
  }
  return probes
}

/**
 * Sends two handshakes on one connection. A server may close an idle connection
 * at any time, so a failure of the second one only counts if it is reproducible.
 */
export async function runReuseProbe(
  plan: Plan,
  openConnection: () => Connection,
): Promise<ReuseProbe> {
  const once = await reuseOnce(plan, openConnection())
  return once.second === undefined || once.second.readable
    ? once
    : reuseOnce(plan, openConnection())
}

async function reuseOnce(
  { prober, random }: Plan,
  { send, wasReused, close }: Connection,
): Promise<ReuseProbe> {
  const connected = prober.withSend(send)
  try {
    const first = await connected.handshake('first handshake on one connection', random())
    if (!first.readable) return { first }
    const second = await connected.handshake('second handshake on one connection', random())
    return wasReused() ? { first, second } : { first }
  } finally {
    close()
  }
}
