import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'
import { ID_KINDS, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import { showsId } from './payload-places.ts'
import type { DataProbe } from '../probe.ts'
import { hasSameContent, isOwn, isRelated, isWordOfPage, sharesId } from './reading.ts'
import type { Leak, Reading } from './reading.ts'

/**
 * Finds a passed ID in the response to another customer, at a place where the
 * endpoint shows such IDs, instead of the requested one. "Seats: 42" is not
 * account 42, and a list of recently viewed customers is not a mix-up.
 */
export function findPassedId(readings: readonly Reading[]): Leak | undefined {
  const probes = readings.map(({ probe }) => probe)
  let doubtful: Leak | undefined
  const owners = new Map(readings.map(({ customer }) => [customer.name, customer]))
  for (const [parameter] of ID_KINDS) {
    const places = findPlaces(parameter, readings)
    for (const owner of owners.values()) {
      const id = owner.passed[parameter]
      if (id === undefined) continue
      const isCopy = (probe: DataProbe) =>
        readings.some(
          (each) => each.customer.name === owner.name && hasSameContent(each.probe, probe),
        )
      for (const { probe, customer, texts } of readings) {
        if (!canCompare(owner, customer, parameter)) continue
        const own = customer.ids[parameter] ?? ''
        // A sidebar may list other accounts of the same organization.
        if (sharesId(owner, customer) && texts.some(({ text }) => showsId(text, own))) continue
        const found = texts.find(
          ({ text, place }) =>
            showsId(text, id) &&
            (isPlaceOf(id, place, places) || (places.has(place) && isCopy(probe))) &&
            !texts.some((each) => each.place === place && isOwn(each, customer)),
        )
        if (found === undefined) continue
        const message = `${probe.name}: contains the ${parameter} of ${owner.name}`
        const leak = { probe, message, path: found.path }
        if (!isWordOfPage(id, probe, probes)) return leak
        doubtful ??= { ...leak, isDoubtful: true }
      }
    }
  }
  return doubtful
}

/** Returns the places at which responses show the requested ID, with their customers. */
function findPlaces(parameter: FetchDataParameter, readings: readonly Reading[]) {
  const places = new Map<string, Set<string>>()
  for (const { customer, texts } of readings) {
    for (const { text, place } of texts) {
      if (!showsId(text, customer.ids[parameter] ?? '')) continue
      places.set(place, (places.get(place) ?? new Set()).add(customer.name))
    }
  }
  return places
}

/**
 * Returns whether an ID belongs at a place. A short number may be there by chance,
 * so two customers must show theirs at this place.
 */
function isPlaceOf(id: string, place: string, places: ReturnType<typeof findPlaces>): boolean {
  if (places.size === 0) return /^(?=.*\p{L}).{4}/su.test(id)
  return (places.get(place)?.size ?? 0) >= (/^\d{1,5}$/.test(id) ? 2 : 1)
}

/**
 * Returns whether two customers can be compared: IDs of different kinds may belong
 * to one customer.
 */
function canCompare(owner: Customer, other: Customer, parameter: FetchDataParameter): boolean {
  if (owner.name === other.name || owner.passed[parameter] === other.ids[parameter]) return false
  if (!isPassed(other)) return true
  return other.passed[parameter] !== undefined && !isRelated(owner, other)
}
