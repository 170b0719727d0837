import { lookUp } from './look-up.ts'
import { isConfirmedBy, type Ledger, phaseIn } from './phase.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { PHASES } from '../receipts/states.ts'
import { listReceipts } from '../receipts/store.ts'
import type { Visit } from './visit.ts'

/** Reads the receipts of an action. @throws {unknown} if the store fails */
export async function readLedger(visit: Visit): Promise<Ledger> {
  const { receipts, actionKey, linkId, definition } = visit
  const found = (await listReceipts(receipts, actionKey, linkId)).toSorted(
    (one, other) => one.number - other.number,
  )
  const ofAction = found.filter((one) => one.actionKey === actionKey)
  const last = ofAction.at(-1)
  const lastDone = ofAction.findLast((one) => phaseIn(visit, one) === 'done')
  // If the schema has changed, the receipt of this link may have a different action key.
  const own = found.filter((one) => one.linkId === linkId)
  const used =
    own.findLast((one) => phaseIn(visit, one) === 'done') ??
    own.findLast((one) => !PHASES[phaseIn(visit, one)].mayBegin)
  const isUnique = definition.options.uniqueKey !== undefined
  return { last, lastDone, subject: used ?? (isUnique ? lastDone : undefined) ?? last }
}

/** The time between two reads of a running receipt. */
const POLL_MS = 150

/**
 * Waits for the end of what this agent has confirmed, and calls `lookUp` for an
 * unknown outcome. If the store fails, it returns the receipts as they were.
 */
export async function followLedger(visit: Visit, start: Ledger): Promise<Ledger> {
  let ledger = start
  for (;;) {
    const { subject } = ledger
    if (subject === undefined) return ledger
    if (phaseIn(visit, subject) !== 'running') {
      const found = await lookUp(visit, subject)
      return found.state === 'done' && found !== subject
        ? readLedger(visit).catch(() => replace(ledger, found))
        : replace(ledger, found)
    }
    if (!isConfirmedBy(visit, subject)) return ledger
    // oxlint-disable-next-line no-await-in-loop -- one read after another
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    try {
      // oxlint-disable-next-line no-await-in-loop -- as above
      ledger = await readLedger(visit)
    } catch (error) {
      visit.ctx.log.warn('sidecard actions', { problem: 'receipt not read', error })
      return ledger
    }
  }
}

/** Replaces a receipt that has changed. */
function replace(ledger: Ledger, receipt: Receipt): Ledger {
  const isLast = ledger.last?.attemptId === receipt.attemptId
  return { ...ledger, ...(isLast && { last: receipt }), subject: receipt }
}
