import { func, readOptions } from '../../internal/read-options.ts'
import { blankReceipt, readFilter, type Receipt, type Receipts } from './receipts.ts'

/** Options of `memoryReceipts()`. */
export interface MemoryReceiptsOptions {
  /** The time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: (() => number) | undefined
}

/**
 * Stores receipts in the memory of this process, for an app that runs in a single
 * process. A restart loses them, so links from before it count as expired. On
 * Workers, it only works in tests.
 *
 * @example
 * receipts: memoryReceipts()
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#receipts
 */
export function memoryReceipts(options: MemoryReceiptsOptions = {}): Receipts {
  const { now = Date.now } = readOptions('memoryReceipts', options, { now: func })
  let held: Receipt[] = []
  const startedAtMs = now()

  const receipts: Receipts = {
    since: () => startedAtMs,
    begin(receipt, number) {
      const { actionKey, attemptId } = receipt
      const last = held.findLast((one) => one.actionKey === actionKey)
      if (last?.number === number && last.attemptId === attemptId) return true
      if ((last?.number ?? 0) + 1 !== number) return false
      held.push(receipt)
      return true
    },
    settle(receipt) {
      const { attemptId, revision } = receipt
      const index = held.findIndex((one) => one.attemptId === attemptId)
      const stored = held[index]
      if (stored?.revision !== revision - 1) return stored
      held[index] = receipt
      const seconds = now() / 1_000
      held = held.filter(
        ({ state, keepUntilSeconds }) =>
          state === 'running' || state === 'unknown' || keepUntilSeconds > seconds,
      )
      return true
    },
    list(actionKey, linkId) {
      const ofAction = held.filter((one) => one.actionKey === actionKey)
      const ofLink = held.filter((one) => one.linkId === linkId)
      const isDone = ({ state }: Receipt) => state === 'done'
      const used = ofLink.findLast(isDone) ?? ofLink.at(-1)
      const found = [ofAction.at(-1), ofAction.findLast(isDone), used]
      return [...new Set(found.filter((one) => one !== undefined))]
    },
    erase(filter) {
      const ids = readFilter(filter)
      if (ids.length === 0) return 0
      const isErased = (one: Receipt) => ids.every(([name, id]) => one[name] === id)
      const { length } = held.filter(isErased)
      held = held.map((one) => (isErased(one) ? blankReceipt(one) : one))
      return length
    },
  }
  memories.add(receipts)
  return receipts
}

const memories = new WeakSet<object>()

/** Returns whether receipts are stored only in the memory of this process. */
export function isMemoryReceipts(receipts: object): boolean {
  return memories.has(receipts)
}
