import { isArray } from '../internal/hostile-values.ts'
import { hasMethods } from '../internal/read-options.ts'
import type { IdentifiedAgent } from './agent.ts'

/**
 * The state of a confirmation. `running` until `run` ends; `unknown` if it may or
 * may not be done; `not_done` after an agent or `reconcile` has stated that it was not.
 */
export type ReceiptState = 'running' | 'done' | 'unknown' | 'not_done'

/** The record of one confirmation of an action. A store saves it unchanged. */
export interface Receipt {
  /** Identifies the link, or with `once`, all links of the intent. */
  readonly id: string
  /**
   * A digest of the app, the action, the organization, and the input that the schema
   * returned, or what `once` returned. The order of an input's properties does not
   * matter.
   */
  readonly intent: string
  /** A random string for each confirmation. Only the owner of a receipt settles or releases it. */
  readonly owner: string
  readonly state: ReceiptState
  readonly app: string
  readonly action: string
  /** IDs of the request whose sidebar contained the button, for `erase()`. */
  readonly organization?: string | undefined
  readonly account?: string | undefined
  readonly requester?: string | undefined
  readonly issue?: string | undefined
  /** The agent who confirmed; absent with `anyAgent()`. */
  readonly agent?: IdentifiedAgent | undefined
  readonly traceId: string
  /** The key by which the system that `run` calls can recognize a repeated request. */
  readonly idempotencyKey: string
  /** A digest of the intent and the values of the form. */
  readonly work: string
  /** The time of the confirmation, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** When the state was reached, in milliseconds since 1970. */
  readonly changedAtMs: number
  /** Whether `run` has ended, so that no call from it can still arrive. */
  readonly hasEnded: boolean
  /** The agent who stated the outcome, or `true` if `reconcile` returned it. */
  readonly resolvedBy?: IdentifiedAgent | true | undefined
  /** When the link was made, in milliseconds since 1970. */
  readonly linkIssuedAtMs: number
  /** When the receipt can be deleted, in seconds since 1970. */
  readonly keepUntilSeconds: number
  /** The input, the values, the sentence and the result, encrypted. */
  readonly sealed: string
}

/** Selects the receipts to erase: those with all of the given IDs. */
export type ReceiptFilter = Pick<Receipt, (typeof FILTERS)[number]>

/**
 * A store of receipts: what was confirmed, by whom, and the outcome. It decides
 * which of two confirmations was first. Implementations are `postgresReceipts()`,
 * `d1Receipts()`, `sqliteReceipts()` and `memoryReceipts()`.
 *
 * @see docs/guides/actions.md#receipts
 */
export interface Receipts {
  /**
   * Stores a receipt, atomically: exactly one of several owners gets `'begun'`, and
   * gets it again for the same receipt. The others get the stored receipt. A receipt
   * that is `not_done`, or that can be deleted, is replaced. `'expired'` means that
   * the store may have lost receipts of links that were made at that time.
   */
  begin(receipt: Receipt): MaybePromise<'begun' | 'expired' | Receipt>
  /**
   * Replaces the receipt with the same ID and owner. A `done` receipt only changes
   * to `done`, and a `not_done` one only to `done` or `not_done`. Returns whether it
   * was replaced.
   */
  settle(receipt: Receipt): MaybePromise<boolean>
  /** Deletes a `running` or `unknown` receipt of this owner, because nothing was done. */
  release(id: string, owner: string): MaybePromise<unknown>
  /** Returns a receipt. */
  find(id: string): MaybePromise<Receipt | undefined>
  /** Returns the last receipts of an intent, newest first, at most 20. */
  last(intent: string): MaybePromise<readonly Receipt[]>
  /** Deletes the receipts of a customer, and returns their number. An empty filter deletes none. */
  erase(filter: ReceiptFilter): MaybePromise<number>
  /** The time before which links count as expired, in milliseconds since 1970. */
  since?(): MaybePromise<number>
}

type MaybePromise<T> = T | PromiseLike<T>

/** The IDs by which receipts are erased. */
export const FILTERS = ['organization', 'account', 'requester', 'issue'] as const

/** The maximum number of receipts that `last()` returns. */
export const MAX_LAST = 20

/** Returns whether a value can be used as receipts. */
export function isReceipts(value: unknown): value is Receipts {
  return hasMethods(value, 'begin', 'settle', 'release', 'find', 'last', 'erase')
}

const STATES: readonly unknown[] = ['running', 'done', 'unknown', 'not_done']

/** Returns whether a value is a {@link Receipt}, because a store may return anything. */
export function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null) return false
  const { id, intent, owner, state, idempotencyKey, startedAtMs, changedAtMs, sealed } =
    value as Partial<Receipt>
  const texts: readonly unknown[] = [id, intent, owner, idempotencyKey, sealed]
  return (
    texts.every((text) => typeof text === 'string') &&
    STATES.includes(state) &&
    [startedAtMs, changedAtMs].every(Number.isFinite)
  )
}

/** Returns whether a value is a list of receipts. */
export function isReceiptList(value: unknown): value is readonly Receipt[] {
  return isArray(value) && value.every(isReceipt)
}

/**
 * Parses the JSON of a receipt that a store returned.
 *
 * @throws {TypeError} if it is not a receipt
 */
export function parseReceipt(json: unknown): Receipt {
  const receipt: unknown = typeof json === 'string' ? JSON.parse(json) : undefined
  if (!isReceipt(receipt)) throw new TypeError('The store returned an invalid receipt.')
  return receipt
}

/** Returns whether a receipt in one state may be replaced by one in another. */
export function canSettle(from: ReceiptState, to: ReceiptState): boolean {
  return to === 'done' || from === to || from === 'running' || from === 'unknown'
}

/** Returns the IDs that a filter sets. */
export function readFilter(
  filter: ReceiptFilter,
): ReadonlyArray<readonly [keyof ReceiptFilter, string]> {
  return FILTERS.flatMap((name) => {
    const id = filter[name]
    return typeof id === 'string' ? [[name, id] as const] : []
  })
}

/** Returns the time, in seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
