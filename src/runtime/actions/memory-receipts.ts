import { func, readOptions } from '../internal/read-options.ts'
import { canSettle, MAX_LAST, readFilter, type Receipt, type Receipts } from './receipts.ts'

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
  const held = new Map<string, Receipt>()
  const startedAtMs = now()

  const receipts: Receipts = {
    since: () => startedAtMs,
    begin(receipt) {
      forgetExpired()
      const known = held.get(receipt.id)
      if (known === undefined || known.state === 'not_done') {
        // Deleting the receipt first moves it to the end, because the newest one is the last.
        held.delete(receipt.id)
        held.set(receipt.id, receipt)
        return 'begun'
      }
      return known.owner === receipt.owner && known.state === 'running' ? 'begun' : known
    },
    settle(receipt) {
      const known = held.get(receipt.id)
      const isOwn = known?.owner === receipt.owner && canSettle(known.state, receipt.state)
      if (isOwn) held.set(receipt.id, receipt)
      return isOwn
    },
    release(id, owner) {
      const known = held.get(id)
      if (known?.owner === owner && canSettle(known.state, 'unknown')) held.delete(id)
    },
    find(id) {
      forgetExpired()
      return held.get(id)
    },
    last(intent) {
      forgetExpired()
      return [...held.values()]
        .filter((receipt) => receipt.intent === intent)
        .slice(-MAX_LAST)
        .toReversed()
    },
    erase(filter) {
      const ids = readFilter(filter)
      if (ids.length === 0) return 0
      const found = [...held.values()].filter((one) => ids.every(([name, id]) => one[name] === id))
      for (const { id } of found) held.delete(id)
      return found.length
    },
  }
  memories.add(receipts)
  return receipts

  function forgetExpired(): void {
    const seconds = Math.floor(now() / 1_000)
    for (const { id, keepUntilSeconds } of held.values()) {
      if (keepUntilSeconds <= seconds) held.delete(id)
    }
  }
}

const memories = new WeakSet<object>()

/** Returns whether receipts are stored only in the memory of this process. */
export function isMemoryReceipts(receipts: object): boolean {
  return memories.has(receipts)
}
