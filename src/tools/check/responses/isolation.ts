import { ID_KINDS, isPassed, type Customer, MARKER_KINDS } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { visibleText } from './leaks.ts'
import { findPassedId } from './passed-ids.ts'
import { isDistinctive, type PlacedText } from './payload-places.ts'
import { isRelated, readTexts, type Leak, type Reading } from './reading.ts'

/** A text of one customer in a response to another. It is a coincidence until more reads confirm it. */
export interface Suspicion extends Leak {
  readonly owner: Customer
  readonly isConfirmed: boolean
}

/** Sequential reads that must agree before a text counts as a customer's own. */
const CONFIRMING_READS = 12

/** Finds responses that show the data of a different customer, by three kinds of signs. */
export function findForeignData(probes: readonly DataProbe[]): ReadonlyArray<Leak | undefined> {
  const readings = readTexts(probes)
  return [
    findPassedId(readings),
    findMadeUpId(probes),
    findSuspicions(readings).find(({ isConfirmed }) => isConfirmed),
  ]
}

/** Returns a text that may be another customer's, and that more reads can confirm. */
export function findSuspicion(probes: readonly DataProbe[]): Suspicion | undefined {
  const readings = readTexts(probes)
  // The ID of another customer is proof enough.
  const leak = findPassedId(readings)
  if (leak !== undefined && !leak.isDoubtful) return undefined
  const suspicions = findSuspicions(readings)
  return suspicions.some(({ isConfirmed }) => isConfirmed) ? undefined : suspicions[0]
}

/**
 * Finds two customers with the same content: two passed ones, or a passed one and
 * one that cannot exist. A designed card, such as "no customer found", is
 * evaluated by another rule.
 */
export function findSameContent(probes: readonly DataProbe[]): Leak | undefined {
  const withData = probes.filter(({ payload, card }) => payload !== undefined && card === undefined)
  const passed = withData.filter(({ customer }) => isPassed(customer))
  const owners = new Map<string | undefined, Customer>()
  for (const { customer, exchange } of passed) {
    if (!owners.has(exchange.response?.text)) owners.set(exchange.response?.text, customer)
  }
  for (const probe of withData) {
    const { customer, exchange, name } = probe
    const owner = owners.get(exchange.response?.text)
    if (owner === undefined || isRelated(owner, customer) || !canDiffer(owner, customer)) continue
    const reason = isPassed(customer)
      ? `the same content as ${owner.name}: pass customers with different data`
      : `the content of ${owner.name}, although this customer cannot exist: the endpoint does not know ${owner.name}, or shows its data to everyone`
    return { probe, message: `${name}: got ${reason}` }
  }
  return undefined
}

/**
 * Returns whether two customers can differ, because an account and an email
 * address may belong to the same one.
 */
function canDiffer({ passed }: Customer, other: Customer): boolean {
  return (
    !isPassed(other) ||
    ID_KINDS.some(([name]) => passed[name] !== undefined && other.passed[name] !== undefined)
  )
}

/** Returns the texts that are in all sequential reads of a customer, and in those of no other. */
function ownTexts(customer: Customer, readings: readonly Reading[]): readonly PlacedText[] {
  const alone = readings.filter(({ probe }) => probe.role === 'alone')
  const [first, ...later] = alone.filter((each) => each.customer.name === customer.name)
  if (first === undefined || later.length === 0) return []
  const others = Map.groupBy(
    alone.filter((each) => each.customer.name !== customer.name),
    (each) => each.customer.name,
  )
  const isEverywhere = (text: PlacedText, reads: readonly Reading[]) =>
    reads.every(({ texts }) => texts.some((each) => isSame(each, text)))
  return first.texts.filter(
    (text) =>
      isDistinctive(text) &&
      isEverywhere(text, later) &&
      ![...others.values()].some((reads) => isEverywhere(text, reads)),
  )
}

function isSame(left: PlacedText, right: PlacedText): boolean {
  return left.text === right.text && left.place === right.place
}

/** Finds texts of passed customers in responses to others. */
function findSuspicions(readings: readonly Reading[]): readonly Suspicion[] {
  const owners = new Map(
    readings.flatMap(({ customer }) => (isPassed(customer) ? [[customer.name, customer]] : [])),
  )
  return [...owners.values()].flatMap((owner) => {
    const own = ownTexts(owner, readings)
    if (own.length === 0) return []
    return readings.flatMap(({ probe, customer, texts }) => {
      if (isRelated(owner, customer)) return []
      const found = texts.find((text) => own.some((each) => isSame(each, text)))
      if (found === undefined) return []
      const message = `${probe.name}: contains text that only the data of ${owner.name} contains`
      const isConfirmed = [owner, customer].every(
        ({ name }) => countAlone(name, readings) >= CONFIRMING_READS,
      )
      return [{ probe, owner, message, path: found.path, isConfirmed }]
    })
  })
}

function countAlone(name: string, readings: readonly Reading[]): number {
  return readings.filter(({ probe, customer }) => probe.role === 'alone' && customer.name === name)
    .length
}

/**
 * Finds a made-up ID instead of the requested one. A response that also shows the
 * requested ID ("recently viewed") does not count. Neither does an endpoint that
 * shows several other IDs in one response.
 */
function findMadeUpId(probes: readonly DataProbe[]): Leak | undefined {
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
