import type { MarkerKind } from './customers.ts'
import { visibleText } from './leaks.ts'
import type { DataProbe } from './probe.ts'

const KINDS: readonly MarkerKind[] = ['issue', 'account', 'requester']

/** The customers whose IDs a response shows. */
interface Sighting {
  readonly probe: DataProbe
  readonly showsOwn: boolean
  readonly foreignCount: number
}

/**
 * Returns the first response that shows another customer's ID instead of the
 * requested one. A response that shows other IDs next to the requested one
 * ("recently viewed") does not count, and neither does an endpoint that shows
 * several others at once.
 */
export function findForeignData(probes: readonly DataProbe[]): DataProbe | undefined {
  for (const kind of KINDS) {
    const markers = new Set(probes.flatMap(({ customer }) => customer.markers[kind] ?? []))
    const sightings = probes.map((probe) => toSighting(probe, markers))
    if (sightings.some(({ foreignCount }) => foreignCount > 1)) continue
    const leak = sightings.find(({ showsOwn, foreignCount }) => foreignCount > 0 && !showsOwn)
    if (leak !== undefined) return leak.probe
  }
  return undefined
}

function toSighting(probe: DataProbe, markers: ReadonlySet<string>): Sighting {
  const text = visibleText(probe.exchange).toLowerCase()
  const shown = [...markers].filter((marker) => text.includes(marker))
  const { url } = probe.exchange.request
  const foreign = shown.filter((marker) => !url.includes(marker))
  return { probe, showsOwn: foreign.length < shown.length, foreignCount: foreign.length }
}
