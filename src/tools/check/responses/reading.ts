import { ID_KINDS, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import { readPlacedTexts, showsId } from './payload-places.ts'
import type { PlacedText } from './payload-places.ts'
import type { DataProbe, Probe } from '../probe.ts'

/** A response that shows another customer's data. */
export interface Leak {
  readonly probe: DataProbe
  readonly message: string
  readonly path?: string
  /** Whether the text may be a word of the page that happens to be an ID. */
  readonly isDoubtful?: boolean
}

/** A response and its texts. */
export interface Reading {
  readonly probe: DataProbe
  readonly customer: Customer
  readonly texts: readonly PlacedText[]
}

/** Reads the texts of responses. */
export function readTexts(probes: readonly DataProbe[]): readonly Reading[] {
  return probes.map((probe) => ({
    probe,
    customer: probe.customer,
    texts: probe.payload === undefined ? [] : readPlacedTexts(probe.payload),
  }))
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

/** Returns whether two responses have the same body. */
export function hasSameContent(left: DataProbe, right: DataProbe): boolean {
  return left.exchange.response?.text === right.exchange.response?.text
}

/** Returns whether a text shows an ID of a customer. */
export function isOwn({ text }: PlacedText, customer: Customer): boolean {
  return ID_KINDS.some(([parameter]) => showsId(text, customer.ids[parameter] ?? ''))
}

/**
 * Returns whether two customers are related: requesters of one account may see
 * each other's data.
 */
export function isRelated(left: Customer, right: Customer): boolean {
  const accounts = [left.passed.account_id, right.passed.account_id]
  return (
    left.name === right.name ||
    (accounts.includes(undefined) ? sharesId(left, right) : accounts[0] === accounts[1])
  )
}

export function sharesId({ passed }: Customer, other: Customer): boolean {
  return ID_KINDS.some(
    ([parameter]) =>
      passed[parameter] !== undefined && passed[parameter] === other.passed[parameter],
  )
}
