import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { isTimeout } from '../../internal/user-code.ts'
import type { Form } from '../fields/fields.ts'
import { createFormToken, sign, toCanonicalText } from '../links/crypto.ts'
import { summarize } from '../run/authorized-request.ts'
import { confirm, type Confirmed, type Ended } from '../run/confirm.ts'
import {
  followLedger,
  type Ledger,
  nameSeen,
  phaseIn,
  readLedger,
  stateOutcome,
} from '../run/ledger.ts'
import { findDenial } from '../run/permission.ts'
import { type FormInput, keepSent, listEntered, readFields } from './form-body.ts'
import type { ActionPageRequest, PageOutcome, PageView } from './page-view.ts'
import {
  hasReview,
  readForm,
  renderReceipt,
  showDenied,
  showForm,
  showPage,
  showReceipt,
  showTaken,
} from './views.ts'

/** A form that an agent has sent: its body, the fields in it, and the receipts. */
interface SentForm {
  readonly request: ActionPageRequest
  readonly body: URLSearchParams
  readonly ledger: Ledger
  readonly form: Form
  readonly input: FormInput
}

/**
 * Handles a form: validates its token, reads the receipts and the fields, and
 * confirms. Every page that says that nothing was done shows the entered values.
 */
export async function submit(request: ActionPageRequest, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions, page } = request
  const { otherAgent, notStarted } = actions.messages
  const entered = listEntered(definition.form, body)
  const formToken = await createFormToken(keys, link.id, agent?.id)
  if (!constantTimeEqual(body.get('form') ?? '', formToken)) {
    return page('forbidden', { text: otherAgent, entered })
  }
  let sent: SentForm
  let confirmed: Confirmed
  try {
    if (body.has('resolve')) return await showStatement(request, body)
    const ledger = await followLedger(request)
    const taken = await showTaken(request, ledger, entered)
    if (taken !== undefined) return taken
    const form = await readForm(request)
    sent = { request, body, ledger, form, input: readFields(form, body, actions.messages) }
    const early = await checkForm(sent)
    if (early !== undefined) return early
    const confirming = confirm(request, sent.input.values, ledger)
    // `waitUntil` lets the action finish even if the browser disconnects.
    request.ctx.waitUntil(confirming)
    confirmed = await confirming
    if (confirmed.outcome === 'lost') return await showWinner(sent)
    if (confirmed.outcome === 'not_started') throw confirmed.error
  } catch (error) {
    return page('failed', { status: 503, text: notStarted, error, entered })
  }
  // From here on, an error does not mean that nothing was done.
  return showEnd(sent, confirmed)
}

/** Shows the form again. */
function showAgain(
  { request, ledger, input }: SentForm,
  outcome: PageOutcome,
  changes: Partial<PageView> = {},
): Promise<PageView> {
  const notice = request.page(outcome, { heading: request.definition.label, ...changes })
  return showForm(request, ledger, input, notice)
}

function showChanged(sent: SentForm): Promise<PageView> {
  return showAgain(sent, 'in_progress', { text: sent.request.actions.messages.changedSince })
}

/** Returns the page that a form leads to, unless it confirms the action. */
async function checkForm(sent: SentForm): Promise<PageView | undefined> {
  const { request, body, ledger, form, input } = sent
  if (body.has('change')) return showAgain(sent, 'shown')
  if (input.problems.size > 0) {
    const text = request.actions.messages.checkFields
    return showAgain(sent, 'invalid', { status: 422, text })
  }
  if (nameSeen(ledger) !== (body.get('seen') ?? '')) return showChanged(sent)
  const denial = await findDenial(request, input.values)
  if (denial !== undefined) {
    const { heading: _, ...denied } = showDenied(request, denial)
    return showAgain(sent, 'forbidden', denied)
  }
  return hasReview(request, form) ? showReview(sent) : undefined
}

/**
 * Shows what will happen with the values of a form. Returns `undefined` if the agent has
 * confirmed exactly this.
 *
 * @throws {unknown} what the option `summary` throws
 */
async function showReview({ request, body, ledger, form: fields, input }: SentForm) {
  const { definition, page, actions, setup, keys, link, agent } = request
  const { values } = input
  const sentence = summarize(request, values)
  const about = [link.id, agent?.id, nameSeen(ledger), sentence, toCanonicalText(values)]
  const reviewToken = await sign(keys.review, ...about)
  const sent = body.get('review')
  if (sent !== null && constantTimeEqual(sent, reviewToken)) return undefined
  const rows = Object.entries(fields).flatMap(([name, { view, format }]) => {
    const text = values[name] === undefined ? '' : format(values[name], actions.messages)
    return text === '' ? [] : [[view.label, text] as const]
  })
  const { change, reviewChanged } = actions.messages
  const hidden = [...keepSent(body), ['review', reviewToken] as const]
  const buttons = [{ name: 'change', value: '1', text: change }, { text: definition.label }]
  const form = { path: setup.path, hidden, buttons }
  const text = sent === null ? undefined : reviewChanged
  return page('review', { heading: definition.label, sentence, rows, form, text })
}

/** Shows the end of a confirmation. */
async function showEnd(sent: SentForm, confirmed: Ended): Promise<PageView> {
  const { request, ledger, input } = sent
  const { messages } = request.actions
  const { outcome, error, audit, receipt, content, isStored } = confirmed
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
  const now = { ...sent, input: shown, ledger: { ...ledger, last: receipt } }
  const changes = { heading: messages.notDone, text, error, audit }
  return { ...(await showAgain(now, 'refused', changes)), ...notice }
}

/** Shows the receipt of the concurrent confirmation that was first. */
async function showWinner(sent: SentForm): Promise<PageView> {
  const { request, input } = sent
  const ledger = await followLedger(request)
  const { last } = ledger
  const isOver = last === undefined || phaseIn(request, last) !== 'done'
  const view = isOver
    ? await showTaken(request, ledger, input.entered)
    : await showReceipt(request, last, input.entered)
  return view ?? showChanged({ ...sent, ledger })
}

/** Shows the page after an agent's statement, or why the statement does not count. */
async function showStatement(request: ActionPageRequest, body: URLSearchParams): Promise<PageView> {
  const ledger = await readLedger(request)
  const denial = await stateOutcome(request, ledger, body.get('resolve'), body.get('seen'))
  return denial === undefined ? showPage(request) : showDenied(request, denial)
}
