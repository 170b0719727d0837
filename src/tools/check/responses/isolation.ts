import { type Customer, ID_KINDS, isPassed, isRelated, MARKER_KINDS } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { readPayload, readResponse, type PlacedText } from '../../service/responses/reading.ts'
import { findForeignId } from './foreign-ids.ts'
import { keyOf, type Leak, type Suspicion } from './leak.ts'
import { findBorrowedValue, findMixedValues } from './mixed-values.ts'
import { findNamedValue } from './named-values.ts'
import { customersOf, selectRoles } from './roles.ts'
import { isDistinctive } from './shown-ids.ts'
import type { Truth } from './truths.ts'

/** Sequential reads that must agree before a text counts as a customer's own. */
const CONFIRMING_READS = 12

/** Finds responses that show the data of a different customer, by six kinds of signs. */
export function findForeignData(
  probes: readonly DataProbe[],
  unique: readonly DataProbe[],
  truths: readonly Truth[],
): readonly Leak[] {
  return [
    findForeignId(unique, truths),
    // These contain no made-up ID that a response could show.
    findMadeUpId(unique.filter(({ special }) => !special?.isPattern && !special?.isReplaced)),
    findSuspicions(probes).find(({ isConfirmed }) => isConfirmed),
    findNamedValue(unique, truths),
    findBorrowedValue(probes),
    findSameContent(unique),
  ].filter((leak) => leak !== undefined)
}

/** Returns a text that may be another customer's, and that more reads can confirm. */
export function findSuspicion(probes: readonly DataProbe[]): Suspicion | undefined {
  const suspicions = findSuspicions(probes)
  if (suspicions.some(({ isConfirmed }) => isConfirmed)) return undefined
  // The ID of another customer is proof enough.
  const leak = suspicions.length === 0 ? undefined : findForeignId(probes, [])
  if (leak !== undefined && leak.isDoubtful !== true) return undefined
  // It is better to compare a customer with its earlier responses, if there are any.
  const read = new Set(selectRoles(probes, ['alone']).map(({ customer }) => customer.name))
  return suspicions.find(({ probe }) => read.has(probe.customer.name)) ?? suspicions[0]
}

/**
 * Finds two customers with the same content: two passed ones, or a passed one and
 * one that cannot exist. A designed card, such as "no customer found", is
 * evaluated by another rule.
 */
function findSameContent(probes: readonly DataProbe[]): Leak | undefined {
  const withData = probes.filter(
    (probe) => probe.payload !== undefined && probe.card === undefined && !probe.isPassedId,
  )
  const passed = withData.filter(({ customer }) => isPassed(customer))
  const byContent = Map.groupBy(passed, ({ exchange }) => exchange.response?.text)
  for (const probe of withData) {
    const { customer, exchange, name } = probe
    const owner = byContent.get(exchange.response?.text)?.[0]?.customer
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

/**
 * Returns the texts that all reads of a customer contain, and those of no other customer.
 * One read is no proof.
 */
export function ownTexts({ name }: Customer, reads: readonly DataProbe[]): readonly PlacedText[] {
  const { [name]: own = [], ...others } = Object.groupBy(reads, ({ customer }) => customer.name)
  const [first, ...later] = own
  if (first === undefined || later.length === 0) return []
  const keys = ({ payload }: DataProbe) => new Set(readPayload(payload).texts.map(keyOf))
  const shown = later.map(keys)
  const shownToOthers = Object.values(others).map((list = []) => list.map(keys))
  return readPayload(first.payload).texts.filter((text) => {
    const isIn = (each: ReadonlySet<string>) => each.has(keyOf(text))
    return isDistinctive(text) && shown.every(isIn) && !shownToOthers.some((all) => all.every(isIn))
  })
}

/** Finds texts of passed customers in responses to others. */
function findSuspicions(probes: readonly DataProbe[]): readonly Suspicion[] {
  const alone = probes.filter(({ role }) => role === 'alone')
  const isRead = ({ name }: Customer) =>
    alone.filter(({ customer }) => customer.name === name).length >= CONFIRMING_READS
  const owners = customersOf(probes).filter(isPassed)
  return owners.flatMap((owner) => {
    const own = new Set(ownTexts(owner, alone).map(keyOf))
    const others = probes.filter(({ customer }) => !isRelated(owner, customer))
    const suspicions = others.flatMap((probe) => {
      const found = readPayload(probe.payload).texts.find((text) => own.has(keyOf(text)))
      if (found === undefined) return []
      return [{ probe, path: found.path, isConfirmed: isRead(owner) && isRead(probe.customer) }]
    })
    return [...suspicions, ...findMixedValues(owner, alone, others)].map((each) => ({
      ...each,
      owner,
      message: `${each.probe.name}: contains text that only the data of ${owner.name} contains`,
    }))
  })
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
      const { request, response } = probe.exchange
      const texts = response === undefined ? [] : readResponse(response)
      const text = texts.map((each) => each.text.toLowerCase()).join('\n')
      const shown = [...markers].filter((marker) => text.includes(marker))
      const foreign = shown.filter((marker) => !request.url.includes(marker))
      return { probe, showsOwn: foreign.length < shown.length, foreignCount: foreign.length }
    })
    if (sightings.some(({ foreignCount }) => foreignCount > 1)) continue
    const leak = sightings.find(({ showsOwn, foreignCount }) => foreignCount > 0 && !showsOwn)
    if (leak === undefined) continue
    const { probe } = leak
    return { probe, message: `${probe.name}: contains an ID from another request` }
  }
  return undefined
}
