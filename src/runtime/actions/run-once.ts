import { encodePiece } from '../app/request/encode.ts'
import { flatten } from '../app/request/flatten.ts'
import { isThenable } from '../internal/hostile-values.ts'
import { Deadline, isTimeout, runWithin } from '../internal/user-code.ts'
import { type ActionError, isActionError } from './action-error.ts'
import type { AuditPart, PageView } from './page-view.ts'
import { type ReceiptContent, sealContent } from './receipt-content.ts'
import { renderReceipt } from './receipt-page.ts'
import type { Receipt } from './receipts.ts'
import { writeRecord } from './record.ts'
import { invalidateCaches } from './invalidate-caches.ts'
import { callStore } from './store.ts'
import { ActionRequest, type Visit } from './visit.ts'

/**
 * A confirmation that has begun. From now on, only an `ActionError` means that
 * nothing was done.
 */
export interface Confirmation {
  readonly visit: Visit
  readonly receipt: Receipt
  readonly content: ReceiptContent
  readonly audit: AuditPart
}

/** The outcome of a confirmation, and its receipt. */
interface End {
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly receipt: Receipt
  readonly content: ReceiptContent
  readonly error?: unknown
}

/** Runs the action, and writes its outcome. Returns the error if nothing was done. */
export async function runOnce(confirmation: Confirmation): Promise<PageView | ActionError> {
  const { visit, receipt, content } = confirmation
  const { definition, input } = visit
  const deadline = new Deadline(definition.timeoutMs)
  const ctx = new ActionRequest(visit, deadline, receipt.idempotencyKey)
  let work: unknown
  const run = () => (work = definition.options.run(ctx, input, content.values))
  const attributes = { 'sidecard.action': definition.name }
  try {
    const result = ctx.run('action.run', attributes, run, deadline)
    const isLate = (error: unknown) => error === deadline.error && isThenable(work)
    const { outcome, error, ...end } = await settle(confirmation, result, isLate)
    if (outcome === 'refused') return error as ActionError
    // A run continues after its timeout, and still saves its outcome.
    if (!end.receipt.hasEnded) settleLate(confirmation, work as PromiseLike<unknown>)
    const status = isTimeout(error) ? 504 : 500
    const changes = outcome === 'done' ? ({ outcome, error } as const) : { status, error }
    return await renderReceipt(visit, end.receipt, end.content, changes)
  } finally {
    deadline.clear()
  }
}

/** Waits for a run, and writes its outcome. */
async function settle(
  { visit, receipt, content }: Confirmation,
  work: PromiseLike<unknown>,
  isLate: (error: unknown) => boolean,
): Promise<End> {
  const { app, receipts, setup } = visit
  const settleAs = async (state: 'done' | 'unknown', changes: Partial<Receipt>) => {
    const settled = { ...receipt, state, changedAtMs: visit.now(), ...changes }
    await Promise.all([write(visit, () => receipts.settle(settled), true), invalidateCaches(visit)])
    return settled
  }
  try {
    const returned = await work
    let error: unknown
    let result: string | undefined
    try {
      result = encodePiece(flatten(returned ?? []), app).json
    } catch (problem) {
      // The action is done, even if its result cannot be shown.
      error = problem
    }
    const full = { ...content, result }
    const sealed = await sealContent(full, receipt.id, setup.receiptKeys[0])
    const done = await settleAs('done', { hasEnded: true, sealed })
    return { outcome: 'done', receipt: done, content: full, error }
  } catch (error) {
    if (isActionError(error)) {
      await write(visit, () => receipts.release(receipt.id, receipt.owner))
      return { outcome: 'refused', receipt, content, error }
    }
    const unknown = await settleAs('unknown', { hasEnded: !isLate(error) })
    return { outcome: 'unknown', receipt: unknown, content, error }
  }
}

/** Settles a run that ends after its timeout. Nothing else, such as a stop, waits for it. */
function settleLate(confirmation: Confirmation, work: PromiseLike<unknown>): void {
  const { visit, audit } = confirmation
  const { ctx, definition, link, agent } = visit
  const settled = runWithin(definition.timeoutMs, async () => {
    const { outcome } = await settle(confirmation, work, () => false)
    writeRecord(visit, link, agent, { status: 200, outcome }, audit)
  })
  ctx.waitUntil(
    settled.catch((error: unknown) => {
      if (!isTimeout(error)) throw error
    }),
  )
}

/** Writes the end of a confirmation, and retries once. A failure is logged. */
async function write(visit: Visit, run: () => unknown, expected?: true): Promise<void> {
  try {
    const result = await callStore(run)
    if (expected === undefined || result === expected) return
    visit.ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
  } catch {
    visit.ctx.waitUntil(callStore(run))
  }
}
