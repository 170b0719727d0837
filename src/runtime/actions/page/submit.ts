import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { isTimeout } from '../../internal/user-code.ts'
import type { Form } from '../fields/fields.ts'
import { createFormToken, sign, toCanonicalText } from '../links/crypto.ts'
import { openContent } from '../receipts/receipts.ts'
import { PHASES } from '../receipts/states.ts'
import { summarize } from '../run/authorized-request.ts'
import { confirm, type Confirmed } from '../run/confirm.ts'
import {
  followLedger,
  isConfirmedBy,
  isFoundNotDone,
  type Ledger,
  nameSeen,
  phaseIn,
  readLedger,
  setOutcome,
} from '../run/ledger.ts'
import { findDenial } from '../run/permission.ts'
import { stateOutcome } from '../run/state-outcome.ts'
import { type FormInput, listEntered, readFields } from './form-body.ts'
import type { ActionPageRequest, PageOutcome, PageView } from './page-view.ts'
import { describeOpen, renderReceipt, showDenied, showReceipt, targetOf } from './receipt-page.ts'
import { hasReview, readForm, showForm, showPage, showTaken } from './show-page.ts'

/**
 * Handles a form: validates its token, reads the receipts and the fields, and
 * confirms. Every page that says that nothing was done shows the entered values.
 */
export async function submit(request: ActionPageRequest, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions, page } = request
  const entered = listEntered(definition.form, body)
  const formToken = await createFormToken(keys, link.id, agent?.id)
  if (!constantTimeEqual(body.get('form') ?? '', formToken)) {
    return page('forbidden', { text: actions.messages.otherAgent, entered })
  }
  try {
    if (body.has('resolve')) return await showStatement(request, body)
    const ledger = await followLedger(request, await readLedger(request))
    const taken = await showTaken(request, ledger)
    if (taken !== undefined) return keepEntered(request, ledger, taken, entered)
    const form = await readForm(request)
    const input = readFields(form, body, actions.messages)
    const early = await checkForm(request, body, ledger, form, input)
    return early ?? (await showConfirmed(request, ledger, input))
  } catch (error) {
    const { notStarted: text } = actions.messages
    return page('failed', { status: 503, text, error, entered })
  }
}

/** Shows the form again. */
function showAgain(
  request: ActionPageRequest,
  ledger: Ledger,
  input: FormInput,
  outcome: PageOutcome,
  changes: Partial<PageView> = {},
): Promise<PageView> {
  const notice = request.page(outcome, { heading: request.definition.label, ...changes })
  return showForm(request, ledger, input, notice)
}

function showChanged(
  request: ActionPageRequest,
  ledger: Ledger,
  input: FormInput,
): Promise<PageView> {
  const { changedSince: text } = request.actions.messages
  return showAgain(request, ledger, input, 'in_progress', { text })
}

/** Returns the page that a form leads to, unless it confirms the action. */
async function checkForm(
  request: ActionPageRequest,
  body: URLSearchParams,
  ledger: Ledger,
  form: Form,
  input: FormInput,
): Promise<PageView | undefined> {
  const { definition, actions } = request
  if (body.has('change')) return showAgain(request, ledger, input, 'shown')
  if (input.problems.size > 0) {
    const { checkFields: text } = actions.messages
    return showAgain(request, ledger, input, 'invalid', { status: 422, text })
  }
  if (nameSeen(ledger) !== (body.get('seen') ?? '')) return showChanged(request, ledger, input)
  const denial = await findDenial(request, input.values)
  if (denial !== undefined) {
    const view = showDenied(request, denial)
    return showForm(request, ledger, input, { ...view, heading: definition.label })
  }
  return hasReview(request, form) ? showReview(request, ledger, form, input, body) : undefined
}

/**
 * Shows what will happen with the values of a form. Returns `undefined` if the agent has
 * confirmed exactly this.
 *
 * @throws {unknown} what the option `summary` throws
 */
async function showReview(
  request: ActionPageRequest,
  ledger: Ledger,
  form: Form,
  { entered, values }: FormInput,
  body: URLSearchParams,
): Promise<PageView | undefined> {
  const { definition, page, actions, keys, link, agent } = request
  const sentence = summarize(request, values)
  const target = await targetOf(request, nameSeen(ledger))
  const about = [link.id, agent?.id ?? null, target.seen, sentence, toCanonicalText(values)]
  const reviewToken = await sign(keys.review, ...about)
  const sent = body.get('review')
  if (sent !== null && constantTimeEqual(sent, reviewToken)) return undefined
  const rows = Object.entries(form).flatMap(([name, { view, format }]) => {
    const text = values[name] === undefined ? '' : format(values[name], actions.messages)
    return text === '' ? [] : [[view.label, text] as const]
  })
  return page('review', {
    heading: definition.label,
    sentence,
    review: { ...target, reviewToken, entered, rows },
    ...(sent !== null && { text: actions.messages.reviewChanged }),
  })
}

/** Confirms, and shows the end. */
async function showConfirmed(
  request: ActionPageRequest,
  ledger: Ledger,
  input: FormInput,
): Promise<PageView> {
  const { actions, page, ctx } = request
  const { messages } = actions
  const confirming = recordNotDone(request, ledger).then((recorded) =>
    recorded === undefined ? ('lost' as const) : confirm(request, input.values, recorded),
  )
  // `waitUntil` lets the action finish even if the browser disconnects.
  ctx.waitUntil(confirming)
  const confirmed: Confirmed = await confirming
  if (confirmed === 'lost') return showWinner(request, input)
  const { outcome, error } = confirmed
  if (outcome === 'not_started') {
    const { entered } = input
    return page('failed', { status: 503, text: messages.notStarted, error, entered })
  }
  const { audit, receipt, content, isStored } = confirmed
  const notice = isStored ? {} : { notice: messages.notStored }
  if (outcome !== 'refused') {
    const status = isTimeout(error) ? 504 : 500
    const changes = outcome === 'done' ? ({ outcome, error } as const) : { status, error }
    return { ...(await renderReceipt(request, receipt, content, changes)), audit, ...notice }
  }
  // Nothing was done, so the agent can try again.
  const { field, message } = confirmed.error
  const isAtField = input.entered.some(([name]) => name === field)
  const shown = isAtField ? { ...input, problems: new Map([[field!, message]]) } : input
  const text = isAtField ? messages.checkFields : message
  const changes = { heading: messages.notDone, text, error, audit }
  const now = { ...ledger, last: receipt }
  return { ...(await showAgain(request, now, shown, 'refused', changes)), ...notice }
}

/** Shows the receipt of the concurrent confirmation that was first. */
async function showWinner(request: ActionPageRequest, input: FormInput): Promise<PageView> {
  const ledger = await followLedger(request, await readLedger(request))
  const { last } = ledger
  const isOver = last === undefined || phaseIn(request, last) !== 'done'
  const view = isOver ? await showTaken(request, ledger) : await showReceipt(request, last)
  if (view === undefined) return showChanged(request, ledger, input)
  return keepEntered(request, ledger, view, input.entered)
}

/** Shows the page after an agent's statement, which says why it does not count if so. */
async function showStatement(request: ActionPageRequest, body: URLSearchParams): Promise<PageView> {
  const ledger = await readLedger(request)
  const stated = await stateOutcome(request, ledger, body.get('resolve'), body.get('seen'))
  if (stated === undefined) return showPage(request)
  if (stated !== 'too_early') return showDenied(request, stated)
  return request.page('unknown', { text: describeOpen(request, ledger.subject!) })
}

/** Writes down that the last confirmation is not done, if `lookUp` has found this. */
async function recordNotDone(
  request: ActionPageRequest,
  ledger: Ledger,
): Promise<Ledger | undefined> {
  const { last } = ledger
  if (last === undefined || !isFoundNotDone(request, last)) return ledger
  const content = await openContent(last, request.setup.receiptKeys)
  const recorded = await setOutcome(request, last, content, 'not_done', 'looked_up')
  return PHASES[phaseIn(request, recorded)].mayBegin ? { ...ledger, last: recorded } : undefined
}

/** Keeps what an agent has entered on the page of a receipt that somebody else created. */
function keepEntered(
  request: ActionPageRequest,
  { subject }: Ledger,
  view: PageView,
  entered: PageView['entered'],
): PageView {
  const isByAgent =
    subject !== undefined && subject.linkId === request.linkId && isConfirmedBy(request, subject)
  return isByAgent ? view : { ...view, entered }
}
