import { encodePiece } from '../app/encode.ts'
import { flatten } from '../app/flatten.ts'
import { isThenable } from '../internal/hostile-values.ts'
import { Deadline, isTimeout } from '../internal/user-code.ts'
import { type ActionError, isActionError } from './action-error.ts'
import type { AuditPart, PageView } from './page-view.ts'
import { type ReceiptContent, sealContent } from './receipt-content.ts'
import { renderReceipt } from './receipt-page.ts'
import type { Receipt } from './receipts.ts'
import { writeRecord } from './record.ts'
import { refreshCaches } from './refresh-caches.ts'
import { readNow } from './setup.ts'
import { callStore } from './store.ts'
import { ActionRequest, type Visit } from './visit.ts'

/** A confirmation that has begun: from here on, only an `ActionError` says that nothing was done. */
export interface Confirmation {
  readonly visit: Visit
  readonly receipt: Receipt
  readonly content: ReceiptContent
  readonly audit: AuditPart
}

/** Runs the action, and writes what came of it. Returns the error that says that nothing was done. */
export async function runOnce(confirmation: Confirmation): Promise<PageView | ActionError> {
  const { visit, receipt, content } = confirmation
  const { ctx: shown, definition, input, link, agent } = visit
  const deadline = new Deadline(definition.timeoutMs)
  const { idempotencyKey } = receipt
  const ctx = new ActionRequest(visit, link.ids, shown.env, deadline, agent, idempotencyKey)
  let work: unknown
  try {
    const run = () => (work = definition.options.run(ctx, input, content.values))
    const returned = await ctx.run(
      'action.run',
      { 'sidecard.action': definition.name },
      run,
      deadline,
    )
    return await settleDone(confirmation, returned)
  } catch (error) {
    if (isActionError(error)) {
      await write(visit, () => visit.receipts.release(receipt.id, receipt.owner))
      return error
    }
    // A run that ends late still says what came of it.
    const isLate = error === deadline.error && isThenable(work)
    if (isLate) waitFor(visit, settleLate(confirmation, work as PromiseLike<unknown>))
    const unknown = await settleUnknown(confirmation, !isLate)
    const status = isTimeout(error) ? 504 : 500
    return renderReceipt(visit, unknown, content, { status, error })
  } finally {
    deadline.clear()
  }
}

async function settleDone(
  { visit, receipt, content }: Confirmation,
  returned: unknown,
): Promise<PageView> {
  const { app, setup, receipts, test } = visit
  let error: unknown
  let result: string | undefined
  try {
    result = encodePiece(flatten(returned ?? []), app).json
  } catch (problem) {
    // It is done, even if its result cannot be shown.
    error = problem
  }
  const full = { ...content, result }
  const sealed = await sealContent(full, receipt.id, setup.receiptKeys[0])
  const changes = { state: 'done', hasEnded: true, changedAtMs: readNow(test), sealed } as const
  const done = { ...receipt, ...changes }
  await Promise.all([write(visit, () => receipts.settle(done), true), refreshCaches(visit)])
  return renderReceipt(visit, done, full, { outcome: 'done', error })
}

async function settleUnknown(
  { visit, receipt }: Confirmation,
  hasEnded: boolean,
): Promise<Receipt> {
  const changedAtMs = readNow(visit.test)
  const unknown = { ...receipt, state: 'unknown', hasEnded, changedAtMs } as const
  await Promise.all([
    write(visit, () => visit.receipts.settle(unknown), true),
    refreshCaches(visit),
  ])
  return unknown
}

async function settleLate(confirmation: Confirmation, work: PromiseLike<unknown>): Promise<void> {
  const { visit, receipt, audit } = confirmation
  const { link, agent } = visit
  let outcome = 'done'
  try {
    await settleDone(confirmation, await work)
  } catch (error) {
    outcome = isActionError(error) ? 'refused' : 'unknown'
    if (isActionError(error)) {
      await write(visit, () => visit.receipts.release(receipt.id, receipt.owner))
    } else await settleUnknown(confirmation, true)
  }
  writeRecord(visit, link, agent, { status: 200, outcome }, audit)
}

/** A stop, for example, does not wait for a run that never ends. */
function waitFor({ ctx, definition }: Visit, work: Promise<void>): void {
  const deadline = new Deadline(definition.timeoutMs)
  const ended = deadline.race(work).catch((error: unknown) => {
    if (error !== deadline.error) throw error
  })
  ctx.waitUntil(ended.finally(() => deadline.clear()))
}

/** Writes the end of a confirmation, and tries a second time. The log says if it failed. */
async function write(visit: Visit, run: () => unknown, expected?: true): Promise<void> {
  try {
    const result = await callStore(run)
    if (expected === undefined || result === expected) return
    visit.ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
  } catch {
    visit.ctx.waitUntil(callStore(run))
  }
}
