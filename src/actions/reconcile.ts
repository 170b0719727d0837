import { runWithin } from '../internal/user-code.ts'
import { stateOf } from './receipt-state.ts'
import { validateInput } from './open-visit.ts'
import { forbid } from './permission.ts'
import { openContent, type ReceiptContent } from './receipt-content.ts'
import type { Receipt } from './receipts.ts'
import { writeRecord } from './record.ts'
import { refreshCaches } from './refresh-caches.ts'
import { readNow } from './setup.ts'
import { callStore } from './store.ts'
import { ActionRequest, type Visit } from './visit.ts'

/** How long `reconcile` may take. */
const RECONCILE_MS = 4_000

/** The time between two questions about a receipt. */
const PAUSE_MS = 10_000

/** When each confirmation was asked about, by its owner. */
const askedAtMs = new Map<string, number>()
const MAX_ASKED = 1_000

/** Asks the option `reconcile` what came of a receipt. Never rejects. */
export async function reconcile(visit: Visit, receipt: Receipt): Promise<Receipt> {
  const { definition, ctx, test, setup } = visit
  if (definition.options.reconcile === undefined) return receipt
  if (stateOf(visit, receipt) !== 'unknown' || !isDue(receipt.owner, readNow(test))) return receipt
  try {
    const content = await openContent(receipt, setup.receiptKeys)
    if (content === undefined || (await forbid(visit, content.values)) !== undefined) return receipt
    const answer = await ask(visit, receipt, content)
    const isKnown = answer === 'done' || (answer === 'not_done' && isOver(visit, receipt))
    return isKnown ? await settleAs(visit, receipt, content, answer, true) : receipt
  } catch (error) {
    ctx.log.warn('sidecard actions', { problem: 'reconcile failed', error })
    return receipt
  }
}

function isDue(owner: string, nowMs: number): boolean {
  if (nowMs < (askedAtMs.get(owner) ?? -PAUSE_MS) + PAUSE_MS) return false
  if (askedAtMs.size >= MAX_ASKED) askedAtMs.clear()
  askedAtMs.set(owner, nowMs)
  return true
}

async function ask(
  visit: Visit,
  { idempotencyKey, agent, startedAtMs, traceId }: Receipt,
  { values, input: json }: ReceiptContent,
): Promise<unknown> {
  const { definition, ctx: shown, deadline, agent: asking } = visit
  const input = await validateInput(definition.input, json, visit)
  const { params, env } = shown
  const ctx = new ActionRequest(visit, params, env, deadline, asking, idempotencyKey)
  const startedAt = new Date(startedAtMs)
  const receipt = { idempotencyKey, values, agent, startedAt, traceId }
  return runWithin(RECONCILE_MS, () => definition.options.reconcile?.(ctx, input, receipt))
}

/** Whether nothing of a confirmation can arrive any more, so that "not done" stays true. */
export function isOver({ definition, test }: Visit, receipt: Receipt): boolean {
  return receipt.hasEnded || readNow(test) > endsAtMs(definition, receipt)
}

/** When nothing of a confirmation can arrive any more, at the latest. */
export function endsAtMs({ timeoutMs }: Visit['definition'], { startedAtMs }: Receipt): number {
  return startedAtMs + 2 * timeoutMs
}

/** Writes what came of a receipt, and the audit record. Returns the receipt as it is now. */
export async function settleAs(
  visit: Visit,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  state: 'done' | 'not_done',
  resolvedBy: NonNullable<Receipt['resolvedBy']>,
): Promise<Receipt> {
  const { receipts, link, agent, test, ctx } = visit
  const settled = { ...receipt, state, resolvedBy, changedAtMs: readNow(test) }
  const isReplaced: unknown = await callStore(() => receipts.settle(settled))
  if (isReplaced !== true) {
    ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
    return receipt
  }
  const outcome = `${resolvedBy === true ? 'reconciled' : 'resolved'}_${state}`
  const audit = content && { sentence: content.sentence }
  writeRecord(visit, link, agent, { status: 200, outcome }, audit)
  if (state === 'done') await refreshCaches(visit)
  return settled
}
