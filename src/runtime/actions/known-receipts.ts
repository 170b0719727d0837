import { isConfirmedBy, stateOf } from './receipt-state.ts'
import { reconcile } from './resolve.ts'
import type { Receipt } from './receipts.ts'
import { findReceipt, listLast } from './store.ts'
import type { Visit } from './visit.ts'

/** The receipts that are known for the intent of a visit. */
export interface KnownReceipts {
  /** The receipt of this link, or of every link with `once`. */
  readonly own?: Receipt | undefined
  /** The receipt of another link that the page shows above its form. */
  readonly other?: Receipt | undefined
  /** The newest first. */
  readonly recent: readonly Receipt[]
}

/**
 * Reads the receipts of an intent, and calls `reconcile` for those with an unknown
 * outcome.
 *
 * @throws {unknown} if the store fails
 */
export async function lookUp(visit: Visit): Promise<KnownReceipts> {
  const { receipts, intent } = visit
  const recent = await listLast(receipts, intent.intent)
  const found = recent.find(({ id }) => id === intent.id)
  // The receipt of this link may be older than the last ones. Or an earlier version of the schema
  // returned a different input, so that it has a different intent.
  const own = found ?? (await findReceipt(receipts, intent.id))
  const others = recent.filter(({ id, state }) => id !== intent.id && state !== 'not_done')
  const last = others.find((one) => stateOf(visit, one) === 'running') ?? others[0]
  const other = last && (await reconcile(visit, last))
  return {
    own: own && (await reconcile(visit, own)),
    // If the other confirmation did nothing, the agent has nothing to check.
    other: other?.state === 'not_done' ? undefined : other,
    recent,
  }
}

/** The time between two reads of a running receipt. */
const POLL_MS = 150

/**
 * Waits until a receipt has ended, for the agent who confirmed it, and returns it;
 * `undefined` if nothing was done. For others, it returns the receipt immediately.
 * If the store fails, the receipt counts as running.
 */
export async function endOf(visit: Visit, receipt: Receipt): Promise<Receipt | undefined> {
  let last: Receipt | undefined = receipt
  if (!isConfirmedBy(visit, receipt)) return receipt
  while (last !== undefined && stateOf(visit, last) === 'running') {
    // oxlint-disable-next-line no-await-in-loop -- one read after another
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    try {
      // oxlint-disable-next-line no-await-in-loop -- as above
      last = await findReceipt(visit.receipts, receipt.id)
    } catch (error) {
      visit.ctx.log.warn('sidecard actions', { problem: 'receipt not read', error })
      return last
    }
  }
  return last
}
