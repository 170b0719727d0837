import { setOutcome } from './look-up.ts'
import type { PageView } from '../page/page-view.ts'
import { forbid, maySetOutcome } from './permission.ts'
import { type Ledger, phaseIn } from './phase.ts'
import { openContent } from '../receipts/receipt-content.ts'
import { describeOpen } from '../page/receipt-page.ts'
import { PHASES } from '../receipts/states.ts'
import type { Visit } from './visit.ts'

/**
 * Handles an agent's statement of a confirmation's outcome. Returns a page that says
 * why the statement does not count, or nothing.
 */
export async function stateOutcome(
  visit: Visit,
  { subject }: Ledger,
  body: URLSearchParams,
): Promise<PageView | undefined> {
  const { actions, setup, page } = visit
  const answer = body.get('resolve')
  if (subject === undefined || subject.attemptId !== body.get('seen')) return undefined
  if (answer !== 'done' && answer !== 'not_done') return undefined
  const { agentMaySet } = PHASES[phaseIn(visit, subject)]
  if (agentMaySet.length === 0) return undefined
  const content = await openContent(subject, setup.receiptKeys)
  const denied = await forbid(visit, content?.values)
  if (denied !== undefined) return denied
  if (!(await maySetOutcome(visit))) {
    return page('forbidden', { text: actions.messages.forbiddenAnyone })
  }
  if (!agentMaySet.includes(answer)) return page('unknown', { text: describeOpen(visit, subject) })
  await setOutcome(visit, subject, content, answer, 'stated')
  return undefined
}
