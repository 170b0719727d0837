import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { isTimeout } from '../../internal/user-code.ts'
import type { ActionError } from '../run/action-error.ts'
import { confirm, type Confirmed } from '../run/confirm.ts'
import { type FormInput, listEntered, readFields } from './form-body.ts'
import { followLedger, readLedger } from '../run/ledger.ts'
import { setOutcome } from '../run/look-up.ts'
import type { PageOutcome, PageView } from './page-view.ts'
import { forbid } from '../run/permission.ts'
import { isConfirmedBy, isFoundNotDone, type Ledger, nameSeen, phaseIn } from '../run/phase.ts'
import { openContent } from '../receipts/receipt-content.ts'
import type { Form } from '../fields/fields.ts'
import { showReview } from './review.ts'
import { renderReceipt, showReceipt } from './receipt-page.ts'
import { readForm, showForm, showPage, showTaken } from './show-page.ts'
import { stateOutcome } from '../run/state-outcome.ts'
import { PHASES } from '../receipts/states.ts'
import { createFormToken } from '../links/token.ts'
import type { Visit } from '../run/visit.ts'

/**
 * Handles a form: validates its token, reads the receipts and the fields, and
 * confirms. Every page that says that nothing was done shows the entered values.
 */
export async function submit(visit: Visit, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions, page } = visit
  const { messages } = actions
  const entered = listEntered(definition.form, body)
  const formToken = await createFormToken(keys, link.id, agent?.id)
  if (!constantTimeEqual(body.get('form') ?? '', formToken)) {
    return page('forbidden', { text: messages.otherAgent, entered })
  }
  let ledger: Ledger
  let form: Form
  let input: FormInput
  try {
    ledger = await readLedger(visit)
    if (body.has('resolve')) {
      return (await stateOutcome(visit, ledger, body)) ?? (await showPage(visit))
    }
    ledger = await followLedger(visit, ledger)
    const taken = await showTaken(visit, ledger)
    if (taken !== undefined) return keepEntered(visit, ledger, taken, entered)
    form = await readForm(visit)
    input = readFields(form, body, messages)
  } catch (error) {
    return page('failed', { status: 503, text: messages.notStarted, error, entered })
  }
  const showAgain = (
    outcome: PageOutcome,
    changes: Partial<PageView>,
    shown: FormInput = input,
    of: Ledger = ledger,
  ) => showForm(visit, of, shown, page(outcome, { heading: definition.label, ...changes }))
  if (body.has('change')) return showAgain('shown', {})
  if (input.problems.size > 0) {
    return showAgain('invalid', { status: 422, text: messages.checkFields })
  }
  const changed = (of: Ledger) =>
    showAgain('in_progress', { text: messages.changedSince }, input, of)
  if (nameSeen(ledger) !== (body.get('seen') ?? '')) return changed(ledger)
  const denied = await forbid(visit, input.values)
  if (denied !== undefined) return showAgain('forbidden', { ...denied, heading: definition.label })
  try {
    const review = await showReview(visit, ledger, form, input, body)
    if (review !== undefined) return review
  } catch (error) {
    return page('failed', { status: 503, text: messages.notStarted, error, entered })
  }

  const work = recordNotDone(visit, ledger).then((recorded) =>
    recorded === undefined ? ('lost' as const) : confirm(visit, input.values, recorded),
  )
  // `waitUntil` lets the action finish even if the browser disconnects.
  visit.ctx.waitUntil(work)
  let confirmed: Confirmed
  try {
    confirmed = await work
    if (confirmed === 'lost') {
      // Somebody else was first, so this agent sees that receipt.
      const now = await followLedger(visit, await readLedger(visit))
      const { last } = now
      const isOver = last === undefined || phaseIn(visit, last) !== 'done'
      const view = isOver ? await showTaken(visit, now) : await showReceipt(visit, last)
      return view === undefined ? await changed(now) : keepEntered(visit, now, view, entered)
    }
  } catch (error) {
    return page('failed', { status: 503, text: messages.notStarted, error, entered })
  }
  if ('view' in confirmed) return { ...confirmed.view, entered }
  const { audit, outcome, error, receipt, content, isStored } = confirmed
  const notice = isStored ? {} : { notice: messages.notStored }
  if (receipt.state !== 'refused') {
    const status = isTimeout(error) ? 504 : 500
    const changes = outcome === 'done' ? ({ outcome, error } as const) : { status, error }
    return { ...(await renderReceipt(visit, receipt, content, changes)), audit, ...notice }
  }
  // Nothing was done, so the agent can try again.
  const { field, message } = error as ActionError
  const isAtField = input.entered.some(([name]) => name === field)
  const shown = isAtField ? { ...input, problems: new Map([[field!, message]]) } : input
  const text = isAtField ? messages.checkFields : message
  const again = { heading: messages.notDone, text, error, audit }
  return { ...(await showAgain('refused', again, shown, { ...ledger, last: receipt })), ...notice }
}

/** Writes down that the last confirmation is not done, if `lookUp` has found this. */
async function recordNotDone(visit: Visit, ledger: Ledger): Promise<Ledger | undefined> {
  const { last } = ledger
  if (last === undefined || !isFoundNotDone(visit, last)) return ledger
  const content = await openContent(last, visit.setup.receiptKeys)
  const recorded = await setOutcome(visit, last, content, 'not_done', 'looked_up')
  return PHASES[phaseIn(visit, recorded)].mayBegin ? { ...ledger, last: recorded } : undefined
}

/** Keeps what an agent has entered on the page of a receipt that somebody else created. */
function keepEntered(
  visit: Visit,
  { subject }: Ledger,
  view: PageView,
  entered: PageView['entered'],
): PageView {
  const isOwn =
    subject !== undefined && subject.linkId === visit.linkId && isConfirmedBy(visit, subject)
  return isOwn ? view : { ...view, entered }
}
