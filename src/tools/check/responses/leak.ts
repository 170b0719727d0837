import { isPassed, type Customer } from '../customers.ts'
import type { DataProbe, Probe } from '../probe.ts'
import type { PlacedText } from '../../service/responses/reading.ts'

/** A response that shows the data of a different customer. */
export interface Leak {
  readonly probe: DataProbe
  readonly message: string
  readonly path?: string
  /** Whether the text may be a word of the page that happens to be an ID. */
  readonly isDoubtful?: boolean
}

/** A text of one customer in a response to another. It is a coincidence until more reads confirm it. */
export interface Suspicion extends Leak {
  readonly owner: Customer
  readonly isConfirmed: boolean
}

/**
 * Drops the responses that equal an earlier one to the same request, which is most
 * of those to passed customers.
 */
export function dropRepeated<P extends Probe>(probes: readonly P[]): readonly P[] {
  const seen = new Set<string>()
  return probes.filter(({ exchange: { request, response } }) => {
    const key = JSON.stringify([request.url, response?.headers, response?.text])
    return response?.text === undefined || (!seen.has(key) && seen.add(key))
  })
}

/** Matches an ID that looks like a word, such as `business` or `starter-plan`. */
const WORD = /^\p{L}+(?:[ -]\p{L}+)*$/u

/**
 * Returns whether an ID in a response may be a word of the page: it is spelled
 * differently there, or the payload of an invented customer contains it as well.
 */
export function isWordOfPage(id: string, probe: DataProbe, probes: readonly DataProbe[]): boolean {
  if (!WORD.test(id)) return false
  const { text = '' } = probe.exchange.response ?? {}
  // An encoded ID is neither spelled this way nor in another way.
  if (!text.includes(id)) return joinWords(text).includes(joinWords(id))
  return probes.some(
    ({ customer, payload, exchange }) =>
      !isPassed(customer) && payload !== undefined && exchange.response?.text?.includes(id),
  )
}

/** Joins the groups of an ID, such as `acc-nort-hwin-d`. */
export function joinWords(text: string): string {
  return text.toLowerCase().replaceAll(/[\s\-_.:]/g, '')
}

/** Returns a text with its place. */
export function keyOf({ place, text }: PlacedText): string {
  return `${place}\0${text}`
}
