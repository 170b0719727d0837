import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'
import { createTextFinder } from '../../internal/shown-text.ts'
import { readPayload } from '../../service/responses/reading.ts'
import { type Customer, ID_KINDS, isPassed, isRelated, sharesId } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { isWordOfPage, joinWords, type Leak } from './leak.ts'
import { findPlace } from './leaks.ts'
import { customersOf } from './roles.ts'
import { showsId } from './shown-ids.ts'
import type { Truth } from './truths.ts'

/** The minimum length, because shorter IDs occur in encoded values and numbers by chance. */
const MIN_LENGTH = 8

/** An ID of a passed customer. */
interface PassedId {
  readonly id: string
  readonly parameter: FetchDataParameter
  readonly owner: Customer
}

/**
 * Finds an ID of a passed customer in a response to another one: where the endpoint
 * shows such IDs, in a header or an encoded value, and anywhere if the customer was
 * passed with texts.
 */
export function findForeignId(
  probes: readonly DataProbe[],
  truths: readonly Truth[],
): Leak | undefined {
  let doubtful: Leak | undefined
  for (const [parameter] of ID_KINDS) {
    const places = findPlaces(parameter, probes)
    for (const owner of customersOf(probes)) {
      const id = owner.passed[parameter]
      if (id === undefined) continue
      const isAnywhere = findAnywhere({ id, parameter, owner }, truths)
      const isShown = findShown({ id, parameter, owner }, places, probes)
      for (const probe of probes) {
        const isOwn = probe.customer.name === owner.name
        const path = isOwn ? findReplaced(id, places, probe) : (isShown(probe) ?? isAnywhere(probe))
        if (path === undefined) continue
        const message = `${probe.name}: contains the ${parameter} of ${isOwn ? 'a different customer' : owner.name}`
        const leak = { probe, path, message }
        if (!isWordOfPage(id, probe, probes)) return leak
        doubtful ??= { ...leak, isDoubtful: true }
      }
    }
  }
  return doubtful
}

/** Returns the places at which responses show the requested ID, with their customers. */
function findPlaces(parameter: FetchDataParameter, probes: readonly DataProbe[]) {
  const places = new Map<string, Set<string>>()
  for (const { customer, payload } of probes) {
    for (const { text, place } of readPayload(payload).texts) {
      if (!showsId(text, customer.ids[parameter] ?? '')) continue
      places.set(place, (places.get(place) ?? new Set()).add(customer.name))
    }
  }
  return places
}

/**
 * Finds the ID at a place where the endpoint shows such IDs, instead of the requested
 * one. "Seats: 42" is not account 42, and a list of recently viewed customers is not
 * a mix-up.
 */
function findShown(
  { id, parameter, owner }: PassedId,
  places: ReturnType<typeof findPlaces>,
  probes: readonly DataProbe[],
) {
  const contents = new Set(
    probes.flatMap(({ customer, exchange }) =>
      customer.name === owner.name ? [exchange.response?.text] : [],
    ),
  )
  // A short number may be there by chance, so two customers must show theirs at this place.
  const least = /^\d{1,5}$/.test(id) ? 2 : 1
  const isPlace = (place: string) =>
    places.size === 0 ? /^(?=.*\p{L}).{4}/su.test(id) : (places.get(place)?.size ?? 0) >= least
  return ({ customer, payload, exchange }: DataProbe): string | undefined => {
    if (owner.name === customer.name || id === customer.ids[parameter]) return undefined
    // IDs of different kinds may belong to one customer.
    const isOther = customer.passed[parameter] !== undefined && !isRelated(owner, customer)
    if (isPassed(customer) && !isOther) return undefined
    const { texts } = readPayload(payload)
    const own = ID_KINDS.flatMap(([name]) => customer.ids[name] ?? [])
    // A sidebar may list other accounts of the same organization.
    const requested = customer.ids[parameter] ?? ''
    if (sharesId(owner, customer) && texts.some(({ text }) => showsId(text, requested))) {
      return undefined
    }
    return texts.find(
      ({ text, place }) =>
        showsId(text, id) &&
        (isPlace(place) || (places.has(place) && contents.has(exchange.response?.text))) &&
        !texts.some((each) => each.place === place && own.some((one) => showsId(each.text, one))),
    )?.path
  }
}

/** Finds a long ID anywhere in a response, even encoded. A plain one may belong there. */
function findAnywhere({ id, owner }: PassedId, truths: readonly Truth[]) {
  const find = createTextFinder(id)
  const joined = joinWords(id)
  const matches = (text: string) => find(text) || (text.length < 400 && joinWords(text) === joined)
  const isKnown = truths.some(({ name }) => name === owner.name)
  return ({ customer, exchange, payload }: DataProbe): string | undefined => {
    if (id.length < MIN_LENGTH || !/\p{L}/u.test(id)) return undefined
    if (customer.name === owner.name || sharesId(owner, customer)) return undefined
    if (Object.values(customer.ids).includes(id)) return undefined
    const path = findPlace(exchange, matches)
    const plain = readPayload(payload).texts.find((each) => each.path === path)?.text
    return isKnown || plain?.includes(id.toLowerCase()) !== true ? path : undefined
  }
}

/** Finds an ID of the same form where other responses show theirs, instead of the requested one. */
function findReplaced(
  id: string,
  places: ReturnType<typeof findPlaces>,
  { payload, isPassedId }: DataProbe,
): string | undefined {
  const there = readPayload(payload).texts.filter(({ place }) => places.has(place))
  const [form = '\0'] = /^[a-z]{1,12}[_-](?=[\w-]+$)/.exec(id.toLowerCase()) ?? []
  const isOwn = isPassedId === true || there.some(({ text }) => showsId(text, id))
  return isOwn ? undefined : there.find(({ text }) => text.startsWith(form))?.path
}
