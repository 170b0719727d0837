import type { Receipt } from '../receipts/receipts.ts'
import { type Phase, phaseOf, PHASES } from '../receipts/states.ts'
import type { Visit } from './visit.ts'

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

/** Returns the phase of a receipt, at the time of a visit. */
export function phaseIn(visit: Pick<Visit, 'now'>, receipt: Receipt | undefined): Phase {
  return phaseOf(receipt, visit.now(), pending.has(receipt?.attemptId ?? ''))
}

/** Returns whether the page shows a receipt instead of a form. */
export function isTaken(visit: Visit, { subject }: Ledger): boolean {
  const phase = phaseIn(visit, subject)
  if (phase !== 'done') return !PHASES[phase].mayBegin && !isFoundNotDone(visit, subject)
  return subject?.linkId === visit.linkId || visit.definition.options.uniqueKey !== undefined
}

/** Returns whether `lookUp` has found that an action cannot happen any more. */
export function isFoundNotDone(visit: Visit, receipt: Receipt | undefined): boolean {
  const { isNotDone = false, atMs = 0 } = receipt?.lookedUp ?? {}
  // A sign of life may have come after the answer.
  const isFinal = atMs >= (receipt?.settlesAtMs ?? 0)
  return isNotDone && isFinal && PHASES[phaseIn(visit, receipt)].lookUpMaySet.includes('not_done')
}

/** Names the receipts that a form shows, so that nothing else is confirmed. */
export function nameSeen({ last, lastDone }: Ledger): string {
  return [last, lastDone].flatMap((one) => one?.number ?? []).join('.')
}

/** Returns whether the agent of a visit created the receipt. */
export function isConfirmedBy({ agent }: Visit, receipt: Receipt): boolean {
  return agent?.id === receipt.agent?.id
}
