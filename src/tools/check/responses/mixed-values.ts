import { readPayload } from '../../service/responses/reading.ts'
import { type Customer, isPassed } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import type { Leak, Suspicion } from './leak.ts'

/** The chance up to which a value that changes at random does not explain the reads. */
const MAX_CHANCE = 0.002

/** How often right and wrong responses take turns, at least. A source that fails for a moment changes twice. */
const MIN_TURNS = 4

export type Values = ReadonlyMap<string, ReadonlySet<string> | undefined>

/**
 * Finds values of one customer in place of those of another, such as a badge, a date or an
 * amount. Such a value may change for each customer at any time, so it only counts
 * where it never changes while the customer is read alone.
 */
export function findMixedValues(
  owner: Customer,
  alone: readonly DataProbe[],
  others: readonly DataProbe[],
): ReadonlyArray<Pick<Suspicion, 'probe' | 'path' | 'isConfirmed'>> {
  const withData = alone.filter(({ payload }) => payload !== undefined)
  const ownerValues = agreedValues(withData.filter(({ customer }) => customer.name === owner.name))
  const byCustomer = Object.groupBy(others, ({ customer }) => customer.name)
  return Object.values(byCustomer).flatMap((reads = []) => {
    const single = withData.filter((each) => reads.includes(each))
    const foreign = subtract(ownerValues, agreedValues(single))
    if (single.length === 0) return []
    const byName = Object.groupBy(reads, ({ name }) => name)
    return Object.values(byName).flatMap((tested = []) => {
      const wrong = new Map(tested.flatMap((probe) => findValue(probe, foreign)))
      const [first] = wrong
      if (first === undefined) return []
      const [probe, path] = first
      const isConfirmed =
        chanceOf(wrong.size, tested.length, single.length) < MAX_CHANCE &&
        countTurns([...tested, ...single], wrong) >= MIN_TURNS
      return [{ probe, path, isConfirmed }]
    })
  })
}

/** Finds an unknown customer that sees values of the passed one that was read before, each time. */
export function findBorrowedValue(probes: readonly DataProbe[]): Leak | undefined {
  const inOrder = probes
    .filter(({ name }) => / alone$| after a different customer$/.test(name))
    .toSorted(byStart)
  const alone = inOrder.filter(({ role, customer }) => role === 'alone' && isPassed(customer))
  const byName = Map.groupBy(alone, ({ customer }) => customer.name)
  const owned = Array.from(byName, ([name, reads]) => ({ name, values: agreedValues(reads) }))
  let before = ''
  const seen = inOrder.flatMap((probe) => {
    if (isPassed(probe.customer)) before = probe.customer.name
    const texts = isPassed(probe.customer) ? [] : readPayload(probe.payload).texts
    return texts.flatMap(({ place, text, path }) => {
      const owners = owned.filter(({ values }) => values.get(place)?.has(text))
      const [name] = owners.map((each) => each.name)
      return owners.length === 1 ? [{ probe, place, path, name, isBefore: name === before }] : []
    })
  })
  const [found] = [...Map.groupBy(seen, ({ place }) => place).values()].filter(
    (all) =>
      all.length > 3 &&
      all.every(({ isBefore }) => isBefore) &&
      all.some(({ name }) => name !== all[0]?.name),
  )
  return found?.map(({ probe, path }) => {
    return { probe, path, message: `${probe.name}: contains a value of the customer before` }
  })[0]
}

/** Returns the texts at each place, or `undefined` for a place at which the reads differ. */
export function agreedValues(reads: readonly DataProbe[]): Values {
  const all = reads.map(({ payload }) =>
    Map.groupBy(readPayload(payload).texts, ({ place }) => place),
  )
  const places = new Set(all.flatMap((each) => [...each.keys()]))
  return new Map(
    [...places].map((place) => {
      const versions = all.map((each) => (each.get(place) ?? []).map(({ text }) => text).toSorted())
      const isAgreed = new Set(versions.map((each) => each.join('\0'))).size === 1
      return [place, isAgreed ? new Set(versions[0]) : undefined]
    }),
  )
}

/** Returns the texts of the owner that the other customer lacks at a place where its reads agree. */
function subtract(owner: Values, other: Values): Values {
  return new Map(
    [...owner].map(([place, texts = []]) => {
      const own = other.has(place) ? other.get(place) : new Set<string>()
      return [place, own && new Set([...texts].filter((text) => !own.has(text)))]
    }),
  )
}

function findValue(probe: DataProbe, foreign: Values): ReadonlyArray<readonly [DataProbe, string]> {
  const { texts } = readPayload(probe.payload)
  const found = texts.find(({ place, text }) => foreign.get(place)?.has(text))
  return found === undefined ? [] : [[probe, found.path]]
}

/** Returns how probable it is that a value that changes at random is only wrong in the tested reads (Fisher's exact test). */
function chanceOf(wrong: number, tested: number, single: number): number {
  return Array.from({ length: wrong }, (_, at) => (tested - at) / (tested + single - at)).reduce(
    (product, each) => product * each,
    1,
  )
}

/** Counts how often right and wrong responses take turns, in the order of the requests. */
function countTurns(reads: readonly DataProbe[], wrong: ReadonlyMap<DataProbe, string>): number {
  const inOrder = reads.toSorted(byStart)
  return inOrder.filter((each, at) => at > 0 && wrong.has(each) !== wrong.has(inOrder[at - 1]!))
    .length
}

function byStart(left: DataProbe, right: DataProbe): number {
  return left.exchange.startedAt - right.exchange.startedAt
}
