import { lookUp } from './known-receipts.ts'
import { nameReceipt, stateOf } from './receipt-state.ts'
import { formatTime } from './receipt-page.ts'
import { createPage, type PageView } from './page-view.ts'
import { forbid, mayResolve } from './permission.ts'
import { endsAtMs, isOver, settleAs } from './reconcile.ts'
import { openContent } from './receipt-content.ts'
import type { Visit } from './visit.ts'

/**
 * Handles an agent's statement of what came of a confirmation. Returns a page that says why it
 * does not count; otherwise the page shows the receipt.
 */
export async function resolve(visit: Visit, body: URLSearchParams): Promise<PageView | undefined> {
  const { actions, definition, agent, setup } = visit
  const { own, other } = await lookUp(visit)
  const receipt = [own, other].find(
    (one) => one !== undefined && nameReceipt(visit, one) === body.get('seen'),
  )
  const answer = body.get('resolve')
  if (receipt === undefined || stateOf(visit, receipt) !== 'unknown') return undefined
  if (answer !== 'done' && answer !== 'not_done') return undefined
  const content = await openContent(receipt, setup.receiptKeys)
  const denied = await forbid(visit, content?.values)
  if (denied !== undefined) return denied
  if (!(await mayResolve(visit))) {
    return createPage(visit, 'forbidden', { text: actions.messages.forbiddenAnyone })
  }
  if (answer === 'not_done' && !isOver(visit, receipt)) {
    const text = actions.messages.tooEarly(formatTime(visit, endsAtMs(definition, receipt)))
    return createPage(visit, 'unknown', { text })
  }
  await settleAs(visit, receipt, content, answer, agent ?? true)
  return undefined
}
