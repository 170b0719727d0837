import type { ActionError } from './action-error.ts'
import { chooseIdempotencyKey, identifyWork } from './intent.ts'
import { nameReceipt } from './receipt-state.ts'
import type { AuditPart, PageView } from './page-view.ts'
import { type ReceiptContent, sealContent } from './receipt-content.ts'
import { isReceipt, type Receipt } from './receipts.ts'
import { writeStart } from './record.ts'
import { type Confirmation, runOnce } from './run-once.ts'
import { callStore, listLast } from './store.ts'
import { createId } from './token.ts'
import type { Visit } from './visit.ts'

/** Receipts live longer than their links, so that no link outlives its receipt. */
const EXTRA_SECONDS = 90_000

/** The result of a confirmation: a page, an `ActionError`, or another confirmation that was first. */
export type Confirmed =
  | { readonly view: PageView; readonly audit?: AuditPart }
  | { readonly rejected: ActionError; readonly audit: AuditPart }
  | { readonly rival: Receipt }

/**
 * Writes the receipt, and runs the action if this confirmation is the first one.
 * Never rejects.
 *
 * @param recent the earlier receipts of the intent, which the agent has seen
 */
export async function confirm(
  visit: Visit,
  values: ReceiptContent['values'],
  recent: readonly Receipt[],
): Promise<Confirmed> {
  const { receipts, actions, page } = visit
  let confirmation: Confirmation | undefined
  try {
    confirmation = await prepare(visit, values, recent)
    const { receipt, audit } = confirmation
    const result: unknown = await callStore(() => receipts.begin(receipt))
    if (result === 'expired') return { view: page('expired') }
    if (result !== 'begun') {
      if (!isReceipt(result)) throw new TypeError('begin() must return "begun" or a receipt.')
      return { rival: result }
    }
    const rival = await findRival(visit, receipt, recent)
    if (rival !== undefined) {
      giveBack(visit, receipt)
      return { rival }
    }
    await writeStart(visit, audit).catch((error: unknown) => {
      if (actions.requireAudit) throw error
      visit.ctx.log.warn('sidecard instrument', { error })
    })
  } catch (error) {
    // The store may have saved the receipt before it failed. The action has not run, so release the
    // receipt.
    if (confirmation !== undefined) giveBack(visit, confirmation.receipt)
    return { view: page('failed', { status: 503, text: actions.messages.notStarted, error }) }
  }
  const { audit } = confirmation
  const ended = await runOnce(confirmation)
  return 'outcome' in ended ? { view: ended, audit } : { rejected: ended, audit }
}

/** How often the first of two confirmations checks whether the other one has given up. */
const ROUNDS = 6
const ROUND_MS = 100

/**
 * Returns a concurrent confirmation of the same intent, to which this one must
 * yield. The later one yields. If it does not, it has not seen the earlier one,
 * which then yields.
 */
async function findRival(
  visit: Visit,
  mine: Receipt,
  recent: readonly Receipt[],
): Promise<Receipt | undefined> {
  const { receipts, definition } = visit
  // With `once`, concurrent confirmations share one receipt, so there is no rival.
  if (definition.options.once !== undefined) return undefined
  const seen = new Set(recent.map((one) => nameReceipt(visit, one)))
  let rival: Receipt | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one read after another
    const now = await listLast(receipts, mine.intent)
    const others = now.filter(
      (one) => one.id !== mine.id && one.state !== 'not_done' && !seen.has(nameReceipt(visit, one)),
    )
    rival = others.find((one) => one.state !== 'running' || isBefore(one, mine)) ?? others[0]
    if (rival === undefined || rival.state !== 'running' || isBefore(rival, mine)) return rival
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
  return rival
}

function isBefore(one: Receipt, other: Receipt): boolean {
  if (one.startedAtMs !== other.startedAtMs) return one.startedAtMs < other.startedAtMs
  return one.id < other.id
}

/** Creates the receipt, with the return values of the action's options `confirm` and `audit`. */
async function prepare(
  visit: Visit,
  values: ReceiptContent['values'],
  recent: readonly Receipt[],
): Promise<Confirmation> {
  const { app, definition, link, agent, actions, intent, setup, traceId, input } = visit
  const { options, label, name: action } = definition
  const sentence: unknown = options.confirm?.(input, values) ?? label
  if (typeof sentence !== 'string' || sentence.trim() === '') {
    throw new TypeError('The option confirm of an action must return a non-empty string.')
  }
  const audit = { sentence, details: options.audit?.(input, values) }
  const content = { linkId: link.id, input: link.input, sentence, values }
  const nowMs = visit.now()
  const work = await identifyWork(intent.intent, values)
  const { organization_id, account_id, requester_id, issue_id } = link.ids
  const keptSeconds = Math.floor(nowMs / 1_000) + actions.keepDays * 86_400
  const receipt: Receipt = {
    ...intent,
    owner: createId(),
    state: 'running',
    app: app.name,
    action,
    organization: organization_id,
    account: account_id,
    requester: requester_id,
    issue: issue_id,
    agent,
    traceId,
    work,
    idempotencyKey: await chooseIdempotencyKey(work, recent, nowMs),
    startedAtMs: nowMs,
    changedAtMs: nowMs,
    hasEnded: false,
    linkIssuedAtMs: link.issuedAtMs,
    keepUntilSeconds: Math.max(keptSeconds, link.expiresAtSeconds + EXTRA_SECONDS),
    sealed: await sealContent(content, intent.id, setup.receiptKeys[0]),
  }
  return { visit, receipt, content, audit }
}

function giveBack(visit: Visit, { id, owner }: Receipt): void {
  visit.ctx.waitUntil(callStore(() => visit.receipts.release(id, owner)))
}
