import { isArray } from '../../internal/hostile-values.ts'
import { runWithin } from '../../internal/user-code.ts'
import { isReceipt, openContent, type Receipt, type ReceiptContent } from '../receipts/receipts.ts'
import {
  change,
  type Phase,
  phaseOf,
  PHASES,
  type ReceiptChange,
  type SetOutcome,
} from '../receipts/states.ts'
import { callStore } from '../receipts/store.ts'
import { ActionCallContext, type AuthorizedRequest, validateInput } from './authorized-request.ts'
import { invalidateCaches, writeRecord } from './notify.ts'
import { type Denial, findDenial, findDenialToSet } from './permission.ts'

/** The receipts that decide what a page shows. */
export interface Ledger {
  /** The receipt of the action with the highest number. */
  readonly last?: Receipt | undefined
  readonly lastDone?: Receipt | undefined
  /** The receipt that the page is about: usually `last`. */
  readonly subject?: Receipt | undefined
}

/** The confirmations whose `run` has not ended in this process, by `attemptId`. */
export const pending = new Set<string>()

/** Returns the phase of a receipt, at the time of a request. */
export function phaseIn({ now }: Pick<AuthorizedRequest, 'now'>, receipt?: Receipt): Phase {
  return phaseOf(receipt, now(), pending.has(receipt?.attemptId ?? ''))
}

/** Returns whether the page shows a receipt instead of a form. */
export function isTaken(request: AuthorizedRequest, { subject }: Ledger): boolean {
  const phase = phaseIn(request, subject)
  if (phase !== 'done') return !PHASES[phase].mayBegin && !isFoundNotDone(request, subject)
  return subject?.linkId === request.linkId || request.definition.options.uniqueKey !== undefined
}

/** Returns whether `lookUp` has found that an action cannot happen any more. */
export function isFoundNotDone(request: AuthorizedRequest, receipt: Receipt | undefined): boolean {
  const { isNotDone = false, atMs = 0 } = receipt?.lookedUp ?? {}
  // A sign of life may have come after the answer.
  const isFinal = atMs >= (receipt?.settlesAtMs ?? 0)
  return isNotDone && isFinal && PHASES[phaseIn(request, receipt)].lookUpMaySet.includes('not_done')
}

/** Names the receipts that a form shows, so that nothing else is confirmed. */
export function nameSeen({ last, lastDone }: Ledger): string {
  return [last, lastDone].flatMap((one) => one?.number ?? []).join('.')
}

/** Returns whether the agent of a request created the receipt. */
export function isConfirmedBy({ agent }: AuthorizedRequest, receipt: Receipt): boolean {
  return agent?.id === receipt.agent?.id
}

/** Reads the receipts of an action. @throws {unknown} if the store fails, or returns something else */
export async function readLedger(request: AuthorizedRequest): Promise<Ledger> {
  const { receipts, actionKey, linkId, definition } = request
  const listed: unknown = await callStore(() => receipts.list(actionKey, linkId))
  if (!isArray(listed) || !listed.every(isReceipt)) {
    throw new TypeError('list() of the receipts must return a list of receipts.')
  }
  const found = listed.toSorted((one, other) => one.number - other.number)
  const isDone = (one: Receipt) => phaseIn(request, one) === 'done'
  const ofAction = found.filter((one) => one.actionKey === actionKey)
  const last = ofAction.at(-1)
  const lastDone = ofAction.findLast(isDone)
  // If the schema has changed, the receipt of this link may have a different action key.
  const ofLink = found.filter((one) => one.linkId === linkId)
  const used =
    ofLink.findLast(isDone) ?? ofLink.findLast((one) => !PHASES[phaseIn(request, one)].mayBegin)
  const isUnique = definition.options.uniqueKey !== undefined
  return { last, lastDone, subject: used ?? (isUnique ? lastDone : undefined) ?? last }
}

/** The time between two reads of a running receipt. */
const POLL_MS = 150

/**
 * Reads the receipts of an action, waits for the end of what this agent has confirmed, and
 * calls `lookUp` for an unknown outcome. If the store fails then, it returns the receipts as
 * they were.
 *
 * @throws {unknown} as `readLedger()`
 */
export async function followLedger(request: AuthorizedRequest): Promise<Ledger> {
  let ledger = await readLedger(request)
  for (;;) {
    const { subject } = ledger
    if (subject === undefined) return ledger
    if (phaseIn(request, subject) !== 'running') {
      const found = await lookUp(request, subject)
      return found.state === 'done' && found !== subject
        ? readLedger(request).catch(() => replace(ledger, found))
        : replace(ledger, found)
    }
    if (!isConfirmedBy(request, subject)) return ledger
    // oxlint-disable-next-line no-await-in-loop -- one read after another
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    try {
      // oxlint-disable-next-line no-await-in-loop -- as above
      ledger = await readLedger(request)
    } catch (error) {
      request.ctx.log.warn('sidecard actions', { problem: 'receipt not read', error })
      return ledger
    }
  }
}

/** Replaces a receipt that has changed. */
function replace(ledger: Ledger, receipt: Receipt): Ledger {
  const isLast = ledger.last?.attemptId === receipt.attemptId
  return { ...ledger, ...(isLast && { last: receipt }), subject: receipt }
}

/** The timeout of `lookUp`. */
const LOOK_UP_MS = 4_000

/** The minimum time between two calls for a receipt. */
const PAUSE_MS = 10_000

/**
 * Calls the option `lookUp` for a receipt with an unknown outcome, and records that
 * it is done. That it is not done only becomes an outcome when somebody confirms.
 * Never rejects.
 */
async function lookUp(request: AuthorizedRequest, receipt: Receipt): Promise<Receipt> {
  const { definition, setup, ctx } = request
  const { options } = definition
  const { lookUpMaySet } = PHASES[phaseIn(request, receipt)]
  if (options.lookUp === undefined || lookUpMaySet.length === 0) return receipt
  const atMs = request.now()
  const { atMs: lastMs = -PAUSE_MS } = receipt.lookedUp ?? {}
  if (atMs < lastMs + PAUSE_MS || isFoundNotDone(request, receipt)) return receipt
  let noted = receipt
  try {
    const content = await openContent(receipt, setup.receiptKeys)
    if (content === undefined || (await findDenial(request, content.values))) return receipt
    const input = await validateInput(request, content.input)
    // Only one of several pages calls the other system.
    const claimed = await settle(request, receipt, { ...receipt, lookedUp: { atMs } })
    if (claimed === undefined) return receipt
    noted = claimed
    const { idempotencyKey, agent, traceId } = receipt
    const callCtx = new ActionCallContext(request, ctx.env, ctx.deadline, idempotencyKey)
    const startedAt = new Date(receipt.startedAtMs)
    const about = { idempotencyKey, values: content.values, agent, startedAt, traceId }
    const answer = await runWithin(LOOK_UP_MS, () => options.lookUp?.(callCtx, input, about))
    if (answer === 'done') return await setOutcome(request, noted, content, 'done', 'looked_up')
    if (answer !== 'not_done') return noted
    const lookedUp = { atMs, isNotDone: true }
    return (await settle(request, noted, { ...noted, lookedUp })) ?? noted
  } catch (error) {
    ctx.log.warn('sidecard actions', { problem: 'lookUp failed', error })
    return noted
  }
}

/** Changes a receipt. Returns nothing if somebody else has changed it. */
async function settle(
  { receipts }: AuthorizedRequest,
  receipt: Receipt,
  to: ReceiptChange,
): Promise<Receipt | undefined> {
  const changed = change(receipt, to)
  const result: unknown = changed && (await callStore(() => receipts.settle(changed)))
  return result === true ? changed : undefined
}

/** Writes an outcome that did not come from `run`, and the audit record. Returns the current receipt. */
async function setOutcome(
  request: AuthorizedRequest,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  state: SetOutcome,
  means: 'looked_up' | 'stated',
): Promise<Receipt> {
  const setBy = (means === 'stated' && request.agent) || true
  const changed = await settle(request, receipt, { state, changedAtMs: request.now(), setBy })
  if (changed === undefined) {
    request.ctx.log.warn('sidecard actions', { problem: 'receipt not replaced' })
    return receipt
  }
  writeRecord(request, { status: 200, outcome: `${means}_${state}` }, content)
  if (state === 'done') await invalidateCaches(request)
  return changed
}

/**
 * Records an agent's statement of a confirmation's outcome, if it can count now. Returns why the
 * agent may not state it, or nothing.
 *
 * @param seen the `attemptId` of the receipt that the page showed
 */
export async function stateOutcome(
  request: AuthorizedRequest,
  { subject }: Ledger,
  answer: string | null,
  seen: string | null,
): Promise<Denial | undefined> {
  if (subject === undefined || subject.attemptId !== seen) return undefined
  const { agentMaySet } = PHASES[phaseIn(request, subject)]
  const state = agentMaySet.find((one) => one === answer)
  if (state === undefined) return undefined
  const content = await openContent(subject, request.setup.receiptKeys)
  const denial = await findDenialToSet(request, content?.values)
  if (denial === undefined) await setOutcome(request, subject, content, state, 'stated')
  return denial
}

/** Writes down that a confirmation is not done, if `lookUp` has found this. Returns the current receipt. */
export async function recordNotDone(
  request: AuthorizedRequest,
  last: Receipt | undefined,
): Promise<Receipt | undefined> {
  if (last === undefined || !isFoundNotDone(request, last)) return last
  const content = await openContent(last, request.setup.receiptKeys)
  return setOutcome(request, last, content, 'not_done', 'looked_up')
}
