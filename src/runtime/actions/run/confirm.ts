import { encodePiece } from '../../app/request/encode.ts'
import { flatten } from '../../app/request/flatten.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import { Deadline, isTimeout, runWithin } from '../../internal/user-code.ts'
import { createId } from '../links/crypto.ts'
import { type Receipt, type ReceiptContent, sealContent } from '../receipts/receipts.ts'
import {
  PHASES,
  type ReceiptChange,
  SIGN_MS,
  STUCK_SIGN_MS,
  timesOf,
  unknownAt,
} from '../receipts/states.ts'
import { callStore, pause, writeReceipt } from '../receipts/store.ts'
import { type ActionError, isActionError } from './action-error.ts'
import {
  ActionCallContext,
  type AuthorizedRequest,
  createIdempotencyKey,
  summarize,
} from './authorized-request.ts'
import { type Ledger, pending, phaseIn, recordNotDone } from './ledger.ts'
import { type AuditPart, invalidateCaches, writeRecord, writeStart } from './notify.ts'

/** Receipts live longer than their links, so that no link outlives its receipt. */
const EXTRA_SECONDS = 90_000

/** A confirmation whose `run` has ended or timed out. */
export type Ended = Awaited<ReturnType<typeof runOnce>>

/** The result of `confirm()`. */
export type Confirmed = Awaited<ReturnType<typeof confirm>>

/**
 * Writes the receipt, and runs the action. Returns the confirmation after its end, why it did
 * not begin, or `lost` if another confirmation was first. Never rejects.
 */
export async function confirm(
  request: AuthorizedRequest,
  values: ReceiptContent['values'],
  ledger: Ledger,
) {
  const { actions, ctx } = request
  let confirmation: Confirmation | undefined
  try {
    const last = await recordNotDone(request, ledger.last)
    if (!PHASES[phaseIn(request, last)].mayBegin) return { outcome: 'lost' } as const
    confirmation = await prepare(request, values, last)
    if (!(await begin(request, confirmation.receipt))) return { outcome: 'lost' } as const
    await writeStart(request, confirmation.audit).catch((error: unknown) => {
      if (actions.requireAudit) throw error
      ctx.log.warn('sidecard instrument', { error })
    })
  } catch (error) {
    // The store may have saved the receipt before it failed. The action has not run.
    if (confirmation !== undefined) withdraw(confirmation)
    return { outcome: 'not_started', error } as const
  }
  return runOnce(confirmation)
}

/** Begins, and tries again: if only the reply was lost, the same receipt has begun. */
async function begin(request: AuthorizedRequest, receipt: Receipt, tries = 3): Promise<boolean> {
  try {
    const begun: unknown = await callStore(() => request.receipts.begin(receipt, receipt.number))
    if (typeof begun === 'boolean') return begun
    throw new TypeError('begin() of the receipts must return true or false.')
  } catch (error) {
    if (tries === 1 || isTimeout(error)) throw error
    return begin(request, receipt, tries - 1)
  }
}

const WITHDRAW_TRIES = 10

function withdraw({ request, receipt }: Confirmation): void {
  const { receipts, ctx } = request
  const change = { state: 'refused', changedAtMs: request.now() } as const
  ctx.waitUntil(writeReceipt(receipts, receipt, change, ctx.log, WITHDRAW_TRIES))
}

/** Creates the receipt, with the return values of the action's options `summary` and `audit`. */
async function prepare(
  request: AuthorizedRequest,
  values: ReceiptContent['values'],
  last: Receipt | undefined,
): Promise<Confirmation> {
  const { app, definition, link, agent, actions, actionKey, linkId, traceId, input } = request
  const { options, name: action, timeoutMs, lateMs } = definition
  const sentence = summarize(request, values)
  const audit = { sentence, details: options.audit?.(input, values) }
  const content = { input: link.input, sentence, values }
  const nowMs = request.now()
  const attemptId = createId()
  const keepsKey = last !== undefined && PHASES[phaseIn(request, last)].keepsKey
  const keySeed = keepsKey ? last.keySeed : attemptId
  const keptSeconds = Math.floor(nowMs / 1_000) + actions.keepDays * 86_400
  const receipt: Receipt = {
    actionKey,
    number: (last?.number ?? 0) + 1,
    attemptId,
    linkId,
    revision: 0,
    state: 'running',
    app: app.name,
    action,
    organization: link.ids.organization_id,
    account: link.ids.account_id,
    requester: link.ids.requester_id,
    issue: link.ids.issue_id,
    agent,
    traceId,
    keySeed,
    idempotencyKey: await createIdempotencyKey(request, values, keySeed),
    startedAtMs: nowMs,
    changedAtMs: nowMs,
    ...timesOf(nowMs, timeoutMs, lateMs),
    keepUntilSeconds: Math.max(keptSeconds, link.expiresAtSeconds + EXTRA_SECONDS),
    encrypted: await sealContent(content, attemptId, request.setup.receiptKeys[0]),
  }
  return { request, receipt, content, audit }
}

/**
 * A confirmation that has begun. From now on, only an `ActionError` means that
 * nothing was done.
 */
interface Confirmation {
  readonly request: AuthorizedRequest
  readonly receipt: Receipt
  readonly content: ReceiptContent
  readonly audit: AuditPart
}

/** The outcome of `run`, and the change of its receipt. */
type End = { readonly content: ReceiptContent; readonly change: ReceiptChange } & (
  | { readonly outcome: 'done' | 'unknown'; readonly error?: unknown }
  | { readonly outcome: 'refused'; readonly error: ActionError }
)

/** Runs the action, and writes its outcome. */
async function runOnce(confirmation: Confirmation) {
  const { request, receipt, content } = confirmation
  const { definition, input } = request
  const deadline = new Deadline(definition.timeoutMs)
  const ctx = new ActionCallContext(request, request.ctx.env, deadline, receipt.idempotencyKey)
  let returned: unknown
  const run = () => (returned = definition.options.run(ctx, input, content.values))
  const attributes = { 'sidecard.action': definition.name }
  pending.add(receipt.attemptId)
  try {
    const end = await readEnd(confirmation, ctx.run('action.run', attributes, run, deadline))
    const isLate = end.outcome === 'unknown' && end.error === deadline.error && isThenable(returned)
    if (!isLate) pending.delete(receipt.attemptId)
    // A run continues after its timeout, and still saves its outcome.
    const to = isLate ? unknownAt(request.now(), definition.lateMs, 0) : end.change
    const stored = await writeEnd(request, receipt, to)
    if (isLate) followLate(confirmation, stored.receipt, returned as PromiseLike<unknown>)
    return { ...confirmation, ...end, ...stored }
  } finally {
    deadline.clear()
  }
}

/** Waits for a run, and reads its outcome. */
async function readEnd(
  { request, receipt, content }: Confirmation,
  run: PromiseLike<unknown>,
): Promise<End> {
  const { app, setup, definition } = request
  try {
    const returned = await run
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
    const change = { state: 'done', changedAtMs: request.now(), encrypted } as const
    return { outcome: 'done', content: full, change, error }
  } catch (error) {
    const changedAtMs = request.now()
    return isActionError(error)
      ? { outcome: 'refused', content, change: { state: 'refused', changedAtMs }, error }
      : { outcome: 'unknown', content, change: unknownAt(changedAtMs, definition.lateMs), error }
  }
}

/**
 * Writes the outcome of a run. Returns when the store has it, or has failed to write it once.
 * Then, this process keeps trying.
 */
async function writeEnd(request: AuthorizedRequest, receipt: Receipt, to: ReceiptChange) {
  const { receipts, ctx } = request
  const failed = Promise.withResolvers<undefined>()
  const warn: typeof ctx.log.warn = (...line) => {
    ctx.log.warn(...line)
    failed.resolve(undefined)
  }
  const writing = writeReceipt(receipts, receipt, to, { warn })
  ctx.waitUntil(writing)
  const [stored] = await Promise.all([
    Promise.race([writing, failed.promise]),
    to.state === 'refused' ? undefined : invalidateCaches(request),
  ])
  return { receipt: stored ?? { ...receipt, ...to }, isStored: stored !== undefined }
}

/** Follows a run after its timeout. Nothing else, such as a stop, waits longer than this timeout. */
function followLate(confirmation: Confirmation, receipt: Receipt, run: PromiseLike<unknown>): void {
  const { request, audit } = confirmation
  const follow = async () => {
    const { outcome, change } = await readEnd(confirmation, run)
    pending.delete(receipt.attemptId)
    await writeEnd(request, receipt, change)
    writeRecord(request, { status: 200, outcome }, audit)
  }
  const ended = follow()
  void writeSigns(confirmation, receipt, ended)
  const { ctx, definition } = request
  ctx.waitUntil(runWithin(definition.timeoutMs, () => ended).catch(() => undefined))
}

/** Writes that a run is still pending, so that nobody states too early that it was not done. */
async function writeSigns(
  { request, audit }: Confirmation,
  receipt: Receipt,
  ended: Promise<unknown>,
): Promise<void> {
  const { ctx, receipts, definition } = request
  let last = receipt
  let waitMs = SIGN_MS
  let isReported = false
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one sign after another
    await Promise.race([pause(waitMs), ended])
    if (!pending.has(receipt.attemptId)) return
    const nowMs = request.now()
    const to = unknownAt(nowMs, definition.lateMs, nowMs - receipt.startedAtMs)
    if (to.isStuck && !isReported) {
      isReported = true
      ctx.log.error('sidecard actions', { problem: 'run has not ended for 15 minutes' })
      writeRecord(request, { status: 200, outcome: 'unknown' }, audit)
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const stored = await writeReceipt(receipts, last, to, ctx.log, 1)
    last = stored ?? last
    if (stored !== undefined && stored.state !== 'unknown') return
    waitMs = stored === undefined ? 1_000 : to.isStuck ? STUCK_SIGN_MS : SIGN_MS
  }
}
