import { isTimeout } from '../../internal/user-code.ts'
import { createIdempotencyKey } from './action-key.ts'
import type { PageView } from '../page/page-view.ts'
import { type Ledger, phaseIn } from './phase.ts'
import { type ReceiptContent, sealContent } from '../receipts/receipt-content.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { writeStart } from './record.ts'
import { type Confirmation, runOnce, type StoredEnd } from './run-once.ts'
import { PHASES, timesOf } from '../receipts/states.ts'
import { callStore } from '../receipts/store.ts'
import { summarize } from './summarize.ts'
import { createId } from '../links/token.ts'
import type { Visit } from './visit.ts'
import { write } from './write-receipt.ts'

/** Receipts live longer than their links, so that no link outlives its receipt. */
const EXTRA_SECONDS = 90_000

/** The result of a confirmation: its end, a page that says why it did not begin, or `'lost'`. */
export type Confirmed = { readonly view: PageView } | (Confirmation & StoredEnd) | 'lost'

/**
 * Writes the receipt, and runs the action if no other confirmation has its number.
 * Never rejects.
 */
export async function confirm(
  visit: Visit,
  values: ReceiptContent['values'],
  { last }: Ledger,
): Promise<Confirmed> {
  const { actions, page } = visit
  let confirmation: Confirmation | undefined
  try {
    confirmation = await prepare(visit, values, last)
    if (!(await begin(visit, confirmation.receipt))) return 'lost'
    await writeStart(visit, confirmation.audit).catch((error: unknown) => {
      if (actions.requireAudit) throw error
      visit.ctx.log.warn('sidecard instrument', { error })
    })
  } catch (error) {
    // The store may have saved the receipt before it failed. The action has not run.
    if (confirmation !== undefined) withdraw(confirmation)
    return { view: page('failed', { status: 503, text: actions.messages.notStarted, error }) }
  }
  return { ...confirmation, ...(await runOnce(confirmation)) }
}

/** Begins, and tries again: if only the reply was lost, the same receipt has begun. */
async function begin(visit: Visit, receipt: Receipt, tries = 3): Promise<boolean> {
  try {
    const begun: unknown = await callStore(() => visit.receipts.begin(receipt, receipt.number))
    if (typeof begun === 'boolean') return begun
    throw new TypeError('begin() of the receipts must return true or false.')
  } catch (error) {
    if (tries === 1 || isTimeout(error)) throw error
    return begin(visit, receipt, tries - 1)
  }
}

const WITHDRAW_TRIES = 10

function withdraw({ visit, receipt }: Confirmation): void {
  const change = { state: 'refused', changedAtMs: visit.now() } as const
  visit.ctx.waitUntil(write(visit, receipt, change, undefined, WITHDRAW_TRIES))
}

/** Creates the receipt, with the return values of the action's options `summary` and `audit`. */
async function prepare(
  visit: Visit,
  values: ReceiptContent['values'],
  last: Receipt | undefined,
): Promise<Confirmation> {
  const { app, definition, link, agent, actions, actionKey, linkId, setup, traceId, input } = visit
  const { options, name: action, timeoutMs, lateMs } = definition
  const sentence = summarize(visit, values)
  const audit = { sentence, details: options.audit?.(input, values) }
  const content = { input: link.input, sentence, values }
  const nowMs = visit.now()
  const attemptId = createId()
  const keepsKey = last !== undefined && PHASES[phaseIn(visit, last)].keepsKey
  const keySeed = keepsKey ? last.keySeed : attemptId
  const { organization_id, account_id, requester_id, issue_id } = link.ids
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
    organization: organization_id,
    account: account_id,
    requester: requester_id,
    issue: issue_id,
    agent,
    traceId,
    keySeed,
    idempotencyKey: await createIdempotencyKey(visit, values, keySeed),
    startedAtMs: nowMs,
    changedAtMs: nowMs,
    ...timesOf(nowMs, timeoutMs, lateMs),
    keepUntilSeconds: Math.max(keptSeconds, link.expiresAtSeconds + EXTRA_SECONDS),
    encrypted: await sealContent(content, attemptId, setup.receiptKeys[0]),
  }
  return { visit, receipt, content, audit }
}
