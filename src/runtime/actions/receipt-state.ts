import type { Receipt, ReceiptState } from './receipts.ts'
import { STORE_MS } from './store.ts'
import type { Visit } from './visit.ts'

/**
 * Returns the state of a receipt. If it is still running after its timeout, the
 * process may have died, so the outcome is unknown.
 */
export function stateOf({ definition, now }: Visit, receipt: Receipt): ReceiptState {
  const { state, startedAtMs } = receipt
  const isOverdue = now() > startedAtMs + definition.timeoutMs + STORE_MS
  return state === 'running' && isOverdue ? 'unknown' : state
}

/** Names a receipt and its state in a form, so that the tick refers to what the agent saw. */
export function nameReceipt(visit: Visit, receipt: Receipt | undefined): string {
  return receipt === undefined ? '' : `${receipt.owner}:${stateOf(visit, receipt)}`
}

/** Returns whether the agent of a visit created the receipt. */
export function isConfirmedBy({ agent }: Visit, receipt: Receipt): boolean {
  return agent?.id === receipt.agent?.id
}
