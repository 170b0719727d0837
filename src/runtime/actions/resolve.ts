import { runWithin } from '../internal/user-code.ts'
import { validateInput } from './open-visit.ts'
import type { PageView } from './page-view.ts'
import { forbid, mayResolve } from './permission.ts'
import { openContent, type ReceiptContent } from './receipt-content.ts'
import { formatTime } from './receipt-page.ts'
import { nameReceipt, stateOf } from './receipt-state.ts'
import type { Receipt } from './receipts.ts'
import { writeRecord } from './record.ts'
import { invalidateCaches } from './invalidate-caches.ts'
import { callStore } from './store.ts'
import { ActionRequest, type Visit } from './visit.ts'

/** The timeout of `reconcile`. */
const RECONCILE_MS = 4_000

/** The minimum time between two calls for a receipt. */
const PAUSE_MS = 10_000

/** The time of the last call for each confirmation, by its owner. */
const askedAtMs = new Map<string, number>()
const MAX_ASKED = 1_000

/** Calls the option `reconcile` for a receipt with an unknown outcome. Never rejects. */
export async function reconcile(visit: Visit, receipt: Receipt): Promise<Receipt> {
  const { options } = visit.definition
  if (options.reconcile === undefined || stateOf(visit, receipt) !== 'unknown') return receipt
  if (!isDue(receipt.owner, visit.now())) return receipt
  try {
    const content = await openContent(receipt, visit.setup.receiptKeys)
    if (content === undefined || (await forbid(visit, content.values)) !== undefined) return receipt
    const input = await validateInput(visit, content.input)
    const { idempotencyKey, agent, traceId } = receipt
    const ctx = new ActionRequest(visit, visit.deadline, idempotencyKey)
    const startedAt = new Date(receipt.startedAtMs)
    const about = { idempotencyKey, values: content.values, agent, startedAt, traceId }
    const answer = await runWithin(RECONCILE_MS, () => options.reconcile?.(ctx, input, about))
    const isKnown = answer === 'done' || (answer === 'not_done' && isOver(visit, receipt))
    return isKnown ? await settleAs(visit, receipt, content, answer, 'reconciled') : receipt
  } catch (error) {
    visit.ctx.log.warn('sidecard actions', { problem: 'reconcile failed', error })
    return receipt
  }
}

function isDue(owner: string, nowMs: number): boolean {
  if (nowMs < (askedAtMs.get(owner) ?? -PAUSE_MS) + PAUSE_MS) return false
  if (askedAtMs.size >= MAX_ASKED) askedAtMs.clear()
  askedAtMs.set(owner, nowMs)
  return true
}

/**
 * Handles an agent's statement of a confirmation's outcome. Returns the receipt's
 * page, or a page that says why the statement does not count.
 */
export async function resolve(
  visit: Visit,
  known: ReadonlyArray<Receipt | undefined>,
  body: URLSearchParams,
): Promise<PageView | undefined> {
  const { actions, setup, page } = visit
  const receipt = known.find((one) => one && nameReceipt(visit, one) === body.get('seen'))
  const answer = body.get('resolve')
  if (receipt === undefined || stateOf(visit, receipt) !== 'unknown') return undefined
  if (answer !== 'done' && answer !== 'not_done') return undefined
  const content = await openContent(receipt, setup.receiptKeys)
  const denied = await forbid(visit, content?.values)
  if (denied !== undefined) return denied
  if (!(await mayResolve(visit))) {
    return page('forbidden', { text: actions.messages.forbiddenAnyone })
  }
  if (answer === 'not_done' && !isOver(visit, receipt)) {
    const time = formatTime(visit, endsAtMs(visit, receipt))
    return page('unknown', { text: actions.messages.tooEarly(time) })
  }
  await settleAs(visit, receipt, content, answer, 'resolved')
  return undefined
}

/** Returns whether no call from a confirmation can still arrive, so that "not done" stays true. */
function isOver(visit: Visit, receipt: Receipt): boolean {
  return receipt.hasEnded || visit.now() > endsAtMs(visit, receipt)
}

/** Returns the latest time at which a call from a confirmation can arrive. */
function endsAtMs({ definition }: Visit, { startedAtMs }: Receipt): number {
  return startedAtMs + 2 * definition.timeoutMs
}

/** Writes the outcome of a receipt, and the audit record. Returns the current receipt. */
async function settleAs(
  visit: Visit,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  state: 'done' | 'not_done',
  means: 'reconciled' | 'resolved',
): Promise<Receipt> {
  const resolvedBy = (means === 'resolved' && visit.agent) || true
  const settled: Receipt = { ...receipt, state, resolvedBy, changedAtMs: visit.now() }
  const isReplaced: unknown = await callStore(() => visit.receipts.settle(settled))
  if (isReplaced !== true) {
    visit.ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
    return receipt
  }
  const outcome = `${means}_${state}`
  writeRecord(visit, visit.link, visit.agent, { status: 200, outcome }, content)
  if (state === 'done') await invalidateCaches(visit)
  return settled
}
