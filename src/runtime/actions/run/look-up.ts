import { runWithin } from '../../internal/user-code.ts'
import { invalidateCaches } from './invalidate-caches.ts'
import { isFoundNotDone, phaseIn } from './phase.ts'
import { validateInput } from '../page/open-visit.ts'
import { forbid } from './permission.ts'
import { openContent, type ReceiptContent } from '../receipts/receipt-content.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { writeRecord } from './record.ts'
import { change, PHASES, type SetOutcome } from '../receipts/states.ts'
import { callStore } from '../receipts/store.ts'
import { ActionRequest, type Visit } from './visit.ts'

/** The timeout of `lookUp`. */
const LOOK_UP_MS = 4_000

/** The minimum time between two calls for a receipt. */
const PAUSE_MS = 10_000

/**
 * Calls the option `lookUp` for a receipt with an unknown outcome, and records that
 * it is done. That it is not done only becomes an outcome when somebody confirms.
 * Never rejects.
 */
export async function lookUp(visit: Visit, receipt: Receipt): Promise<Receipt> {
  const { options } = visit.definition
  const { lookUpMaySet } = PHASES[phaseIn(visit, receipt)]
  if (options.lookUp === undefined || lookUpMaySet.length === 0) return receipt
  const atMs = visit.now()
  const { atMs: lastMs = -PAUSE_MS } = receipt.lookedUp ?? {}
  if (atMs < lastMs + PAUSE_MS || isFoundNotDone(visit, receipt)) return receipt
  let asked = receipt
  try {
    const content = await openContent(receipt, visit.setup.receiptKeys)
    if (content === undefined || (await forbid(visit, content.values)) !== undefined) return receipt
    const input = await validateInput(visit, content.input)
    // Only one of several pages calls the other system.
    const claimed = await note(visit, receipt, { atMs })
    if (claimed === undefined) return receipt
    asked = claimed
    const { idempotencyKey, agent, traceId } = receipt
    const ctx = new ActionRequest(visit, visit.deadline, idempotencyKey)
    const startedAt = new Date(receipt.startedAtMs)
    const about = { idempotencyKey, values: content.values, agent, startedAt, traceId }
    const answer = await runWithin(LOOK_UP_MS, () => options.lookUp?.(ctx, input, about))
    if (answer === 'done') return await setOutcome(visit, asked, content, 'done', 'looked_up')
    if (answer !== 'not_done') return asked
    return (await note(visit, asked, { atMs, isNotDone: true })) ?? asked
  } catch (error) {
    visit.ctx.log.warn('sidecard actions', { problem: 'lookUp failed', error })
    return asked
  }
}

/** Notes when `lookUp` was called. Returns nothing if somebody else has changed the receipt. */
async function note(
  { receipts }: Visit,
  receipt: Receipt,
  lookedUp: NonNullable<Receipt['lookedUp']>,
): Promise<Receipt | undefined> {
  const noted = change(receipt, { ...receipt, lookedUp })
  const result: unknown = noted && (await callStore(() => receipts.settle(noted)))
  return result === true ? noted : undefined
}

/** Writes an outcome that did not come from `run`, and the audit record. Returns the current receipt. */
export async function setOutcome(
  visit: Visit,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  state: SetOutcome,
  means: 'looked_up' | 'stated',
): Promise<Receipt> {
  const setBy = (means === 'stated' && visit.agent) || true
  const changed = change(receipt, { state, changedAtMs: visit.now(), setBy })
  if (changed === undefined) return receipt
  const stored: unknown = await callStore(() => visit.receipts.settle(changed))
  if (stored !== true) {
    visit.ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
    return receipt
  }
  const outcome = `${means}_${state}`
  writeRecord(visit, visit.link, visit.agent, { status: 200, outcome }, content)
  if (state === 'done') await invalidateCaches(visit)
  return changed
}
