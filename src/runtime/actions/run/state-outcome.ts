import { openContent } from '../receipts/receipts.ts'
import { PHASES } from '../receipts/states.ts'
import type { AuthorizedRequest } from './authorized-request.ts'
import { type Ledger, phaseIn, setOutcome } from './ledger.ts'
import { type Denial, findDenialToSet } from './permission.ts'

/**
 * Records an agent's statement of a confirmation's outcome. Returns why the statement does
 * not count, or nothing if it counts or is no longer needed.
 *
 * @param seen the `attemptId` of the receipt that the page showed
 */
export async function stateOutcome(
  request: AuthorizedRequest,
  { subject }: Ledger,
  answer: string | null,
  seen: string | null,
): Promise<Denial | 'too_early' | undefined> {
  if (subject === undefined || subject.attemptId !== seen) return undefined
  if (answer !== 'done' && answer !== 'not_done') return undefined
  const { agentMaySet } = PHASES[phaseIn(request, subject)]
  if (agentMaySet.length === 0) return undefined
  const content = await openContent(subject, request.setup.receiptKeys)
  const denial = await findDenialToSet(request, content?.values)
  if (denial !== undefined) return denial
  if (!agentMaySet.includes(answer)) return 'too_early'
  await setOutcome(request, subject, content, answer, 'stated')
  return undefined
}
