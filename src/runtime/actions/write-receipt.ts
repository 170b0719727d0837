import { isReceipt, type Receipt } from './receipts.ts'
import { change, type ReceiptChange } from './states.ts'
import { callStore } from './store.ts'
import type { Visit } from './visit.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000

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
 * @param onFailure called after each failure
 * @param tries how often it is tried
 */
export async function write(
  visit: Visit,
  receipt: Receipt,
  to: ReceiptChange,
  onFailure: () => void,
  tries = Infinity,
): Promise<Receipt> {
  for (let count = 1, pauseMs = FIRST_PAUSE_MS; ; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one write after another
    const stored = await tryWrite(visit, receipt, to)
    if (stored !== undefined) return stored
    onFailure()
    if (count >= tries) return receipt
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(pauseMs)
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
  }
}

/** How often a change is made to a receipt that somebody else changes at the same time. */
const MAX_ROUNDS = 20

/** Changes a receipt. Returns the stored receipt, or nothing if the store fails. */
export async function tryWrite(
  visit: Visit,
  receipt: Receipt,
  to: ReceiptChange,
): Promise<Receipt | undefined> {
  let base = receipt
  try {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = change(base, to)
      if (next === undefined) return base
      // oxlint-disable-next-line no-await-in-loop -- one write after another
      const stored: unknown = await callStore(() => visit.receipts.settle(next))
      if (stored === true) return next
      if (stored === undefined || stored === null) {
        visit.ctx.log.warn('sidecard actions', { problem: 'receipt not found' })
        return base
      }
      if (!isReceipt(stored)) throw new TypeError('settle() must return true or a receipt.')
      base = stored
    }
    throw new Error('The receipt changes too often.')
  } catch (error) {
    visit.ctx.log.warn('sidecard actions', { problem: 'receipt not written', error })
    return undefined
  }
}
