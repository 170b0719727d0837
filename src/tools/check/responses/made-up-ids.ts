import { MARKER_KINDS } from '../customers.ts'
import { visibleText } from './leaks.ts'
import type { DataProbe } from '../probe.ts'
import type { Leak } from './reading.ts'

/**
 * Finds a made-up ID instead of the requested one. A response that also shows the
 * requested ID ("recently viewed") does not count. Neither does an endpoint that
 * shows several other IDs in one response.
 */
export function findMadeUpId(probes: readonly DataProbe[]): Leak | undefined {
  for (const kind of MARKER_KINDS) {
    const markers = new Set(probes.flatMap(({ customer }) => customer.markers[kind] ?? []))
    const sightings = probes.map((probe) => {
      const text = visibleText(probe.exchange).toLowerCase()
      const shown = [...markers].filter((marker) => text.includes(marker))
      const foreign = shown.filter((marker) => !probe.exchange.request.url.includes(marker))
      return { probe, showsOwn: foreign.length < shown.length, foreignCount: foreign.length }
    })
    if (sightings.some(({ foreignCount }) => foreignCount > 1)) continue
    const leak = sightings.find(({ showsOwn, foreignCount }) => foreignCount > 0 && !showsOwn)
    if (leak !== undefined) {
      return {
        probe: leak.probe,
        message: `${leak.probe.name}: contains an ID from another request`,
      }
    }
  }
  return undefined
}
