import { createTextFinder } from '../../internal/shown-text.ts'
import { ID_KINDS, isPassed } from '../customers.ts'
import { findPlace } from './leaks.ts'
import type { DataProbe } from '../probe.ts'
import { isWordOfPage, joinWords, readTexts, sharesId } from './reading.ts'
import type { Leak } from './reading.ts'
import type { Truth } from './truths.ts'

/** The minimum length, because shorter IDs occur in encoded values and numbers by chance. */
const MIN_LENGTH = 8

/**
 * Finds an ID of a passed customer in a response to another one: in a header or an
 * encoded value, and anywhere if the customer was passed with texts. Then it
 * searches for another ID at the place where the endpoint shows the requested one.
 */
export function findForeignId(
  probes: readonly DataProbe[],
  truths: readonly Truth[],
): Leak | undefined {
  const owners = new Map(
    probes.flatMap(({ customer }) => (isPassed(customer) ? [[customer.name, customer]] : [])),
  )
  let doubtful: Leak | undefined
  for (const owner of owners.values()) {
    for (const [parameter] of ID_KINDS) {
      const id = owner.passed[parameter]
      if (id === undefined || id.length < MIN_LENGTH || !/\p{L}/u.test(id)) continue
      const find = createTextFinder(id)
      const joined = joinWords(id)
      const matches = (text: string) =>
        find(text) || (text.length < 400 && joinWords(text) === joined)
      for (const probe of probes) {
        const { customer, exchange, name } = probe
        if (customer.name === owner.name || sharesId(owner, customer)) continue
        if (Object.values(customer.ids).includes(id)) continue
        const path = findPlace(exchange, matches)
        if (path === undefined) continue
        const isPlain = readTexts([probe]).some(({ texts }) =>
          texts.some((each) => each.path === path && each.text.includes(id.toLowerCase())),
        )
        if (isPlain && !truths.some((each) => each.name === owner.name)) continue
        const leak = { probe, path, message: `${name}: contains the ${parameter} of ${owner.name}` }
        if (!isWordOfPage(id, probe, probes)) return leak
        doubtful ??= { ...leak, isDoubtful: true }
      }
    }
  }
  return findReplacedId(probes) ?? doubtful
}

/**
 * Finds an ID of the same form instead of the requested one, at the place where
 * other responses show theirs.
 */
function findReplacedId(probes: readonly DataProbe[]): Leak | undefined {
  const readings = readTexts(probes).filter(({ customer }) => isPassed(customer))
  for (const [parameter] of ID_KINDS) {
    const ownPlaces = new Set(
      readings.flatMap(({ customer, texts }) =>
        texts.flatMap(({ text, place }) =>
          text === customer.passed[parameter]?.toLowerCase() ? [place] : [],
        ),
      ),
    )
    for (const { probe, customer, texts } of readings) {
      const own = customer.passed[parameter]?.toLowerCase()
      const there = texts.filter(({ place }) => ownPlaces.has(place))
      if (own === undefined || there.some(({ text }) => text === own)) continue
      const other = there.find(({ text }) => form(text) === form(own))
      if (other === undefined) continue
      const message = `${probe.name}: contains another ${parameter} than the requested one`
      return { probe, path: other.path, message }
    }
  }
  return undefined
}

/**
 * Returns the form of an ID: its first word, as in `acc_lumen`, or the length of a
 * decimal or hexadecimal ID.
 */
function form(id: string): string {
  const [, prefix] = /^([a-z]{1,12}[_-])[\w-]+$/.exec(id) ?? []
  if (prefix !== undefined) return prefix
  return /^[\da-f-]{4,}$/.test(id) ? String(id.length) : id
}
