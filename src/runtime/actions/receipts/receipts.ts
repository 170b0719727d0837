import { readProperty } from '../../internal/hostile-values.ts'
import { hasMethods } from '../../internal/read-options.ts'
import { type Keys, seal, unseal } from '../links/crypto.ts'
import type { IdentifiedAgent } from '../sign-in/agent.ts'

/**
 * The state of a confirmation. `running` until `run` ends; `refused` if it did
 * nothing; `unknown` if it may or may not be done; `not_done` after an agent or
 * `lookUp` has stated that it was not.
 */
export type ReceiptState = 'running' | 'unknown' | 'refused' | 'not_done' | 'done'

/** The record of one confirmation of an action. A store saves it unchanged. */
export interface Receipt {
  /**
   * A digest of the app, the action, the organization, and the input that the schema
   * returned, or what `uniqueKey` returned. The order of an input's properties does not
   * matter.
   */
  readonly actionKey: string
  /** The confirmations of an action have the numbers 1, 2, 3 and so on. */
  readonly number: number
  /** A random string for each confirmation. */
  readonly attemptId: string
  /** A digest of the ID of the link that was confirmed. */
  readonly linkId: string
  /** 0 at first, and one more after each change. */
  readonly revision: number
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
  /** A random string, from which the idempotency keys of repeated confirmations are made. */
  readonly keySeed: string
  /** The time of the confirmation, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** When the state was reached, in milliseconds since 1970. */
  readonly changedAtMs: number
  /** From this time on, a `running` receipt counts as `unknown`, in milliseconds since 1970. */
  readonly dueAtMs: number
  /** When an unknown confirmation can no longer have an effect, in milliseconds since 1970. */
  readonly settlesAtMs: number
  /** Whether `run` has not ended for 15 minutes. */
  readonly isStuck?: boolean | undefined
  /** When `lookUp` was last called, in milliseconds since 1970, and its answer. */
  readonly lookedUp?:
    | { readonly atMs: number; readonly isNotDone?: boolean | undefined }
    | undefined
  /** The agent who stated the outcome, or `true` if `lookUp` returned it. */
  readonly setBy?: IdentifiedAgent | true | undefined
  /** When a closed receipt can be deleted, in seconds since 1970. */
  readonly keepUntilSeconds: number
  /** The input, the values, the sentence and the result, encrypted. Empty after `erase()`. */
  readonly encrypted: string
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
   * Stores a receipt, atomically, if `number` follows the highest number of its action,
   * or is 1. Returns whether this receipt, with its `attemptId`, has the number.
   */
  begin(receipt: Receipt, number: number): MaybePromise<boolean>
  /**
   * Replaces the receipt with the same action, number and `attemptId`, atomically, if its
   * revision is one less. Returns `true`, or else the stored receipt.
   */
  settle(receipt: Receipt): MaybePromise<true | Receipt | undefined>
  /**
   * Returns three receipts: the one with the highest number of an action, the last one
   * of the action that is done, and of the receipts of a link, of any action, one that is
   * done, or else the last one. Others are ignored.
   */
  list(actionKey: string, linkId: string): MaybePromise<readonly Receipt[]>
  /**
   * Removes everything personal from the receipts of a customer, and returns their
   * number. The receipts stay, so that their numbers stay taken. An empty filter selects
   * none.
   */
  erase(filter: ReceiptFilter): MaybePromise<number>
  /** The time before which links count as expired, in milliseconds since 1970. */
  since?(): MaybePromise<number>
}

type MaybePromise<T> = T | PromiseLike<T>

/** The IDs by which receipts are erased. */
export const FILTERS = ['organization', 'account', 'requester', 'issue'] as const

/** Returns whether a value can be used as receipts. */
export function isReceipts(value: unknown): value is Receipts {
  return hasMethods(value, 'begin', 'settle', 'list', 'erase')
}

const STATES: readonly unknown[] = ['running', 'unknown', 'refused', 'not_done', 'done']
const TEXTS = ['actionKey', 'attemptId', 'linkId', 'idempotencyKey', 'encrypted']
const NUMBERS = ['number', 'revision', 'startedAtMs', 'changedAtMs', 'dueAtMs', 'settlesAtMs']

/** Returns whether a value is a {@link Receipt}, because a store may return anything. */
export function isReceipt(value: unknown): value is Receipt {
  return (
    STATES.includes(readProperty(value, 'state')) &&
    TEXTS.every((name) => typeof readProperty(value, name) === 'string') &&
    NUMBERS.every((name) => Number.isFinite(readProperty(value, name)))
  )
}

/** Removes everything personal from a receipt. */
export function blankReceipt(receipt: Receipt): Receipt {
  const ids = { organization: undefined, account: undefined, requester: undefined }
  const personal = { ...ids, issue: undefined, agent: undefined, encrypted: '' }
  const setBy = receipt.setBy && true
  return { ...receipt, ...personal, setBy, revision: receipt.revision + 1 }
}

/** Returns the IDs that a filter sets. */
export function readFilter(filter: ReceiptFilter) {
  return FILTERS.flatMap((name) => {
    const id = filter[name]
    return typeof id === 'string' ? [[name, id] as const] : []
  })
}

/** The part of a receipt that only the app can read. */
export interface ReceiptContent {
  /** The input of the action, as JSON. */
  readonly input: string
  /** The values of the form, as `run` received them. */
  readonly values: Readonly<Record<string, unknown>>
  /** The confirmed sentence. */
  readonly sentence: string
  /** The components that `run` returned, as JSON in which buttons have no link yet. */
  readonly result?: string | undefined
}

/** A longer result is not stored with the receipt. */
const MAX_RESULT_LENGTH = 65_536

/** Encrypts the content of a receipt, bound to its confirmation. */
export function sealContent(
  content: ReceiptContent,
  attemptId: string,
  { receipt }: Keys,
): Promise<string> {
  const { result = '' } = content
  const kept = result.length > MAX_RESULT_LENGTH ? { ...content, result: undefined } : content
  return seal({ rcp: kept, sub: attemptId }, receipt)
}

/**
 * Decrypts the content of a receipt; `undefined` if the secret is unknown, or if
 * the content belongs to a different receipt.
 */
export async function openContent(
  { attemptId, encrypted }: Receipt,
  keys: readonly Keys[],
): Promise<ReceiptContent | undefined> {
  const opened = await unseal(encrypted, keys, 'receipt', { subject: attemptId })
  return opened?.claims['rcp'] as ReceiptContent | undefined
}
