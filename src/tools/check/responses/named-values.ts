import { readPayload } from '../../service/responses/reading.ts'
import { ID_KINDS } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { keyOf, type Leak } from './leak.ts'
import type { Truth } from './truths.ts'

const wordsIn = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/** Returns the words that identify a customer: those that an ID has in common with a different ID or text. */
function identifyingWords({ ids, shows }: Truth): readonly string[] {
  const known = ID_KINDS.flatMap(([name]) => ids[name] ?? [])
  const facts = [...known, ...shows].map((text) => new Set(wordsIn(text)))
  return [...new Set(known.flatMap(wordsIn))].filter(
    (word) => /\p{L}{4}/u.test(word) && facts.filter((fact) => fact.has(word)).length > 1,
  )
}

/**
 * Finds a value of a passed customer, such as a link or an icon, that names this customer and that
 * a different one sees at the same place.
 */
export function findNamedValue(
  probes: readonly DataProbe[],
  truths: readonly Truth[],
): Leak | undefined {
  const all = truths.map((truth) => ({ ...truth, words: identifyingWords(truth) }))
  for (const { name, words } of all) {
    const others = all.filter((each) => each.name !== name)
    const own = words.filter((word) => !others.some((each) => each.words.includes(word)))
    const named = ({ payload }: DataProbe) =>
      readPayload(payload).texts.filter(({ text }) =>
        wordsIn(text).some((word) => own.includes(word)),
      )
    const isOwn = ({ customer }: DataProbe) => customer.name === name
    const values = new Set(probes.filter(isOwn).flatMap(named).map(keyOf))
    for (const probe of probes.filter((each) => !isOwn(each))) {
      const path = named(probe).find((text) => values.has(keyOf(text)))?.path
      const message = `${probe.name}: contains a value that names ${name}`
      if (path !== undefined) return { probe, path, message }
    }
  }
  return undefined
}
