import { ID_KINDS } from '../customers.ts'
import type { Customer } from '../customers.ts'
import { readPlacedTexts, showsId } from './payload-places.ts'
import type { PlacedText } from './payload-places.ts'
import type { DataProbe, Probe } from '../probe.ts'

/** A response that shows another customer's data. */
export interface Leak {
  readonly probe: DataProbe
  readonly message: string
  readonly path?: string
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
