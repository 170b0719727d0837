import { constantTimeEqual } from '../internal/constant-time-equal.ts'
import { confirm } from './confirm.ts'
import { type FormInput, listEntered, readFields } from './form-body.ts'
import { type KnownReceipts, lookUp } from './known-receipts.ts'
import type { PageOutcome, PageView } from './page-view.ts'
import { forbid } from './permission.ts'
import { isConfirmedBy, nameReceipt } from './receipt-state.ts'
import type { Receipt } from './receipts.ts'
import { resolve } from './resolve.ts'
import { mustCheck, readForm, showForm, showOwn, showPage } from './show-page.ts'
import { createFormToken } from './token.ts'
import type { Visit } from './visit.ts'

/**
 * Handles a form: validates its token, looks for an existing receipt, reads the
 * fields, and confirms. Every page that says that nothing was done shows the
 * entered values.
 */
export async function submit(visit: Visit, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions, page } = visit
  const { messages } = actions
  const entered = listEntered(definition.form, body)
  const formToken = await createFormToken(keys, link.id, agent?.id)
  if (!constantTimeEqual(body.get('form') ?? '', formToken)) {
    return page('forbidden', { text: messages.foreignForm, entered })
  }
  /**
   * Shows the receipt of this link. An agent who did not confirm it also sees the
   * values that they entered.
   */
  const showEnd = async (own: Receipt | undefined) => {
    const view = await showOwn(visit, own)
    return view && (own && isConfirmedBy(visit, own) ? view : { ...view, entered })
  }
  let known: KnownReceipts
  let input: FormInput
  try {
    known = await lookUp(visit)
    if (body.has('resolve'))
      return (await resolve(visit, [known.own, known.other], body)) ?? (await showPage(visit))
    const own = await showEnd(known.own)
    if (own !== undefined) return own
    input = readFields(await readForm(visit), body, messages)
  } catch (error) {
    return page('failed', { status: 503, text: messages.notStarted, error, entered })
  }
  const showAgain = (
    outcome: PageOutcome,
    changes: Partial<PageView>,
    shown: FormInput = input,
    other: Receipt | undefined = known.other,
  ) => showForm(visit, other, shown, page(outcome, { heading: definition.label, ...changes }))
  if (input.problems.size > 0) {
    return showAgain('invalid', { status: 422, text: messages.checkFields })
  }
  // The agent must have seen the current receipt of the same action, and ticked that they checked
  // it.
  if (known.other !== undefined && nameReceipt(visit, known.other) !== (body.get('seen') ?? '')) {
    return showAgain('in_progress', { text: messages.changedSince })
  }
  if (mustCheck(visit, known.other) && !body.has('checked')) {
    return showAgain('invalid', { status: 422, text: messages.notChecked })
  }
  const denied = await forbid(visit, input.values)
  if (denied !== undefined) return showAgain('forbidden', { ...denied, heading: definition.label })

  const work = confirm(visit, input.values, known.recent)
  // `waitUntil` lets the action finish even if the browser disconnects.
  visit.ctx.waitUntil(work)
  const confirmed = await work
  if ('view' in confirmed) {
    const { view, audit } = confirmed
    const isKept = view.outcome === 'failed' || view.outcome === 'expired'
    return { ...view, audit, ...(isKept && { entered }) }
  }
  if ('rival' in confirmed) {
    const { rival } = confirmed
    const own = rival.id === visit.intent.id ? await showEnd(rival) : undefined
    return own ?? showAgain('in_progress', { text: messages.changedSince }, input, rival)
  }
  // Nothing was done, so the agent can try again.
  const { rejected: error, audit } = confirmed
  const heading = messages.notDone
  const isAtField = input.entered.some(([name]) => name === error.field)
  if (!isAtField) return showAgain('refused', { heading, text: error.message, error, audit })
  const shown = { ...input, problems: new Map([[error.field!, error.message]]) }
  return showAgain('refused', { heading, text: messages.checkFields, error, audit }, shown)
}
