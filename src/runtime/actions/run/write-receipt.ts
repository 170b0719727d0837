import { isReceipt, type Receipt } from '../receipts/receipts.ts'
import { change, type ReceiptChange } from '../receipts/states.ts'
import { callStore } from '../receipts/store.ts'
import type { Visit } from './visit.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000
/** How often others may change a receipt at the same time before this counts as a failure. */
const MAX_CHANGES = 3

/** Waits, but does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms)
    // On Workers, a timer is a number.
    ;(timer as { unref?(): void }).unref?.()
  })
}

/**
 * Changes a receipt, and repeats this until the store has it, until the process
 * stops. Returns the stored receipt, which may already say more.
 *
 * @param onFailure called after each failure of the store
 * @param tries how often it is tried; after the last one, it returns nothing
 */
export async function write(
  { receipts, ctx }: Visit,
  receipt: Receipt,
  to: ReceiptChange,
  onFailure?: () => void,
  tries = Infinity,
): Promise<Receipt | undefined> {
  let base = receipt
  for (let count = 1, pauseMs = FIRST_PAUSE_MS; ; count += 1) {
    const next = change(base, to)
    if (next === undefined) return base
    try {
      // oxlint-disable-next-line no-await-in-loop -- one write after another
      const stored: unknown = await callStore(() => receipts.settle(next))
      if (stored === true || stored === undefined) return next
      if (!isReceipt(stored)) throw new TypeError('settle() must return true or a receipt.')
      base = stored
      if (count > MAX_CHANGES) throw new Error('The receipt keeps changing.')
    } catch (error) {
      ctx.log.warn('sidecard actions', { problem: 'receipt not written', error })
      onFailure?.()
    }
    if (count >= tries) return undefined
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(pauseMs)
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
  }
}
