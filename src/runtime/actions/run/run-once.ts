import { encodePiece } from '../../app/request/encode.ts'
import { flatten } from '../../app/request/flatten.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import { Deadline, runWithin } from '../../internal/user-code.ts'
import { isActionError } from './action-error.ts'
import { invalidateCaches } from './invalidate-caches.ts'
import type { AuditPart } from '../page/page-view.ts'
import { pending } from './phase.ts'
import { type ReceiptContent, sealContent } from '../receipts/receipt-content.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { writeRecord } from './record.ts'
import { type ReceiptChange, SIGN_MS, STUCK_SIGN_MS, unknownAt } from '../receipts/states.ts'
import { ActionRequest, type Visit } from './visit.ts'
import { pause, write } from './write-receipt.ts'

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

/** The outcome of a confirmation. */
interface End {
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly content: ReceiptContent
  readonly change: ReceiptChange
  readonly error?: unknown
}

/** The outcome of a confirmation, and its receipt in the store. */
export interface StoredEnd extends End {
  readonly receipt: Receipt
  /** Whether the store has the outcome. If not, this process keeps trying. */
  readonly isStored: boolean
}

/** Runs the action, and writes its outcome. */
export async function runOnce(confirmation: Confirmation): Promise<StoredEnd> {
  const { visit, receipt, content } = confirmation
  const { definition, input } = visit
  const deadline = new Deadline(definition.timeoutMs)
  const ctx = new ActionRequest(visit, deadline, receipt.idempotencyKey)
  let work: unknown
  const run = () => (work = definition.options.run(ctx, input, content.values))
  const attributes = { 'sidecard.action': definition.name }
  pending.add(receipt.attemptId)
  try {
    const end = await readEnd(confirmation, ctx.run('action.run', attributes, run, deadline))
    const isLate = end.outcome === 'unknown' && end.error === deadline.error && isThenable(work)
    if (!isLate) pending.delete(receipt.attemptId)
    // A run continues after its timeout, and still saves its outcome.
    const to = isLate ? unknownAt(visit.now(), definition.lateMs, 0) : end.change
    const stored = await writeEnd(visit, receipt, to)
    if (isLate) followLate(confirmation, stored.receipt, work as PromiseLike<unknown>)
    return { ...end, ...stored }
  } finally {
    deadline.clear()
  }
}

/** Waits for a run. Returns its outcome, and the change of its receipt. */
async function readEnd(
  { visit, receipt, content }: Confirmation,
  work: PromiseLike<unknown>,
): Promise<End> {
  const { app, setup, definition } = visit
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
    const encrypted = await sealContent(full, receipt.attemptId, setup.receiptKeys[0])
    const change = { state: 'done', changedAtMs: visit.now(), encrypted } as const
    return { outcome: 'done', content: full, change, error }
  } catch (error) {
    const changedAtMs = visit.now()
    return isActionError(error)
      ? { outcome: 'refused', content, change: { state: 'refused', changedAtMs }, error }
      : { outcome: 'unknown', content, change: unknownAt(changedAtMs, definition.lateMs), error }
  }
}

/** Writes the outcome of a run. Returns when the store has it, or has failed to write it once. */
async function writeEnd(
  visit: Visit,
  receipt: Receipt,
  to: ReceiptChange,
): Promise<Pick<StoredEnd, 'receipt' | 'isStored'>> {
  const failed = Promise.withResolvers<undefined>()
  const writing = write(visit, receipt, to, () => failed.resolve(undefined))
  visit.ctx.waitUntil(writing)
  const [stored] = await Promise.all([
    Promise.race([writing, failed.promise]),
    to.state === 'refused' ? undefined : invalidateCaches(visit),
  ])
  return { receipt: stored ?? { ...receipt, ...to }, isStored: stored !== undefined }
}

/** Follows a run after its timeout. Nothing else, such as a stop, waits longer than this timeout. */
function followLate(
  confirmation: Confirmation,
  receipt: Receipt,
  work: PromiseLike<unknown>,
): void {
  const { visit, audit } = confirmation
  const { ctx, definition, link, agent } = visit
  const follow = async () => {
    const { outcome, change } = await readEnd(confirmation, work)
    pending.delete(receipt.attemptId)
    await writeEnd(visit, receipt, change)
    writeRecord(visit, link, agent, { status: 200, outcome }, audit)
  }
  const ended = follow()
  void giveSigns(confirmation, receipt, ended)
  ctx.waitUntil(runWithin(definition.timeoutMs, () => ended).catch(() => undefined))
}

/** Writes that a run is still pending, so that nobody states too early that it was not done. */
async function giveSigns(
  { visit, audit }: Confirmation,
  receipt: Receipt,
  ended: Promise<unknown>,
): Promise<void> {
  let last = receipt
  let waitMs = SIGN_MS
  let isReported = false
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one sign after another
    await Promise.race([pause(waitMs), ended])
    if (!pending.has(receipt.attemptId)) return
    const nowMs = visit.now()
    const to = unknownAt(nowMs, visit.definition.lateMs, nowMs - receipt.startedAtMs)
    if (to.isStuck && !isReported) {
      isReported = true
      visit.ctx.log.error('sidecard actions', { problem: 'run has not ended for 15 minutes' })
      writeRecord(visit, visit.link, visit.agent, { status: 200, outcome: 'unknown' }, audit)
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const stored = await write(visit, last, to, undefined, 1)
    last = stored ?? last
    if (stored !== undefined && stored.state !== 'unknown') return
    waitMs = stored === undefined ? 1_000 : to.isStuck ? STUCK_SIGN_MS : SIGN_MS
  }
}
