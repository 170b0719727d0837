import { isArray, isThenable } from '../internal/hostile-values.ts'
import { hasMethods } from '../internal/read-options.ts'
import type { Agent } from './agent.ts'

/**
 * The state of a confirmation. `running` until `run` ends; `unknown` if it is not known
 * whether the action was done; `not_done` after somebody found out that it was not.
 */
export type ReceiptState = 'running' | 'done' | 'unknown' | 'not_done'

/** The record of one confirmation of an action. A store keeps it as it is. */
export interface Receipt {
  /** The intent, a period, and what identifies the link; the same for all links with `once`. */
  readonly id: string
  /** A digest of the app, the action, the organization, and the input or what `once` returned. */
  readonly intent: string
  /** A random text for each confirmation. Only the owner settles or releases a receipt. */
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
  readonly agent?: Agent | undefined
  readonly traceId: string
  /** The key by which the system that `run` calls can recognize a repeated request. */
  readonly idempotencyKey: string
  /** A digest of the intent and the values of the form. */
  readonly work: string
  /** When it was confirmed, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** When the state was reached, in milliseconds since 1970. */
  readonly changedAtMs: number
  /** Whether `run` has ended, so that nothing of it arrives later. */
  readonly hasEnded: boolean
  /** The agent who stated what came of it, or `true` if `reconcile` found out. */
  readonly resolvedBy?: Agent | true | undefined
  /** When the link was made, in milliseconds since 1970. */
  readonly linkIssuedAtMs: number
  /** When the receipt can be deleted, in seconds since 1970. */
  readonly keepUntilSeconds: number
  /** The input, the values, the sentence and the result, encrypted. */
  readonly sealed: string
}

/** The receipts to erase: those with all of the given IDs. */
export type ReceiptFilter = Pick<Receipt, (typeof FILTERS)[number]>

/**
 * Stores what was confirmed, by whom, and what came of it, and decides which of two
 * confirmations was first. Implementations are `postgresReceipts()`, `d1Receipts()`,
 * `sqliteReceipts()`, `redisReceipts()` and `memoryReceipts()`.
 *
 * @see docs/guides/actions.md#receipts
 */
export interface Receipts {
  /**
   * Stores a receipt, atomically: of several owners, exactly one gets `'begun'`, and again if it
   * sends the same receipt again. The others get the stored receipt. One that is `not_done`, or
   * that can be deleted, is replaced. `'expired'` means that the store may have lost receipts of
   * links from that time.
   */
  begin(receipt: Receipt): MaybePromise<'begun' | 'expired' | Receipt>
  /**
   * Replaces a receipt of the same ID and owner. One that is `done` only changes to `done`, and
   * one that is `not_done` only to `done` or `not_done`. Returns whether it was replaced.
   */
  settle(receipt: Receipt): MaybePromise<boolean>
  /** Deletes a receipt of this owner that is `running` or `unknown`, because nothing was done. */
  release(id: string, owner: string): MaybePromise<unknown>
  /** Returns a receipt. */
  find(id: string): MaybePromise<Receipt | undefined>
  /** Returns the last receipts of an intent, the newest first, at most 20. */
  last(intent: string): MaybePromise<readonly Receipt[]>
  /** Deletes the receipts of a customer, and returns how many. Without an ID, it deletes none. */
  erase(filter: ReceiptFilter): MaybePromise<number>
  /** Links that were made before this time count as expired, in milliseconds since 1970. */
  since?(): MaybePromise<number>
}

type MaybePromise<T> = T | PromiseLike<T>

/** The IDs by which receipts are erased. */
export const FILTERS = ['organization', 'account', 'requester', 'issue'] as const

/** How many receipts of an intent `last()` returns. */
export const MAX_LAST = 20

/** Returns whether a value can be used as receipts. */
export function isReceipts(value: unknown): value is Receipts {
  return hasMethods(value, 'begin', 'settle', 'release', 'find', 'last', 'erase')
}

const STATES: readonly unknown[] = ['running', 'done', 'unknown', 'not_done']

/** Returns whether a value is a {@link Receipt}: a store may return anything. */
export function isReceipt(value: unknown): value is Receipt {
  if (typeof value !== 'object' || value === null || isThenable(value)) return false
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
 * @throws {TypeError} if it is none
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

/** Returns the IDs of a filter that are set. */
export function readFilter(
  filter: ReceiptFilter,
): ReadonlyArray<readonly [keyof ReceiptFilter, string]> {
  return FILTERS.flatMap((name) => {
    const id = filter[name]
    return typeof id === 'string' ? [[name, id] as const] : []
  })
}

/** The time, in seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
