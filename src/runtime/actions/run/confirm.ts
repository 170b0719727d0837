import { isTimeout } from '../../internal/user-code.ts'
import { createId } from '../links/crypto.ts'
import { type Receipt, type ReceiptContent, sealContent } from '../receipts/receipts.ts'
import { PHASES, timesOf } from '../receipts/states.ts'
import { callStore, writeReceipt } from '../receipts/store.ts'
import { type AuthorizedRequest, createIdempotencyKey, summarize } from './authorized-request.ts'
import { type Ledger, phaseIn, recordNotDone } from './ledger.ts'
import { writeStart } from './record.ts'
import { type Confirmation, runOnce } from './run-once.ts'

/** Receipts live longer than their links, so that no link outlives its receipt. */
const EXTRA_SECONDS = 90_000

/** A confirmation after its end, why it did not begin, or `'lost'` if another one was first. */
export type Confirmed = Awaited<ReturnType<typeof runOnce>> | NotStarted | 'lost'

/** Says that nothing was done. */
export interface NotStarted {
  readonly outcome: 'not_started'
  readonly error: unknown
}

/**
 * Writes the receipt, and runs the action if no other confirmation has its number.
 * Never rejects.
 */
export async function confirm(
  request: AuthorizedRequest,
  values: ReceiptContent['values'],
  ledger: Ledger,
): Promise<Confirmed> {
  const { actions, ctx } = request
  let confirmation: Confirmation | undefined
  try {
    const last = await recordNotDone(request, ledger.last)
    if (!PHASES[phaseIn(request, last)].mayBegin) return 'lost'
    confirmation = await prepare(request, values, last)
    if (!(await begin(request, confirmation.receipt))) return 'lost'
    await writeStart(request, confirmation.audit).catch((error: unknown) => {
      if (actions.requireAudit) throw error
      ctx.log.warn('sidecard instrument', { error })
    })
  } catch (error) {
    // The store may have saved the receipt before it failed. The action has not run.
    if (confirmation !== undefined) withdraw(confirmation)
    return { outcome: 'not_started', error }
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
