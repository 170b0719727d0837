import { constantTimeEqual } from '../internal/constant-time-equal.ts'
import type { ActionError } from './action-error.ts'
import { confirm } from './confirm.ts'
import { type FormInput, listEntered, readFields } from './form-body.ts'
import { type KnownReceipts, lookUp } from './known-receipts.ts'
import { isSameAgent, nameReceipt } from './receipt-state.ts'
import { createPage, type PageView } from './page-view.ts'
import { forbid } from './permission.ts'
import { resolve } from './resolve.ts'
import { mustCheck, readForm, showAgain, showOwn, showPage } from './show-page.ts'
import { createFormToken } from './token.ts'
import type { Visit } from './visit.ts'

/**
 * Handles a form: its own token, the receipt that may be there already, its fields, and then
 * the confirmation. What the agent entered is on every page that says that nothing was done.
 */
export async function submit(visit: Visit, body: URLSearchParams): Promise<PageView> {
  const { keys, link, agent, definition, actions } = visit
  const { messages } = actions
  const entered = listEntered(definition.form, body)
  const formToken = await createFormToken(keys, link.id, agent?.id)
  if (!constantTimeEqual(body.get('form') ?? '', formToken)) {
    return createPage(visit, 'forbidden', { text: messages.foreignForm, entered })
  }
  const failed = (error: unknown) =>
    createPage(visit, 'failed', { status: 503, text: messages.notStarted, error, entered })
  let known: KnownReceipts
  let input: FormInput
  try {
    if (body.has('resolve')) return (await resolve(visit, body)) ?? (await showPage(visit))
    known = await lookUp(visit)
    const own = await showOwn(visit, known)
    if (own !== undefined) {
      return isSameAgent(agent, known.own?.agent) ? own : { ...own, entered }
    }
    input = readFields(await readForm(visit), body, messages)
  } catch (error) {
    return failed(error)
  }
  const { label: heading } = definition
  if (input.problems.size > 0) {
    const invalid = { status: 422, heading, text: messages.checkFields }
    return showAgain(visit, known, input, createPage(visit, 'invalid', invalid))
  }
  const unseen = await findUnseen(visit, body, known)
  if (unseen !== undefined) return showAgain(visit, known, input, unseen)
  const denied = await forbid(visit, input.values)
  if (denied !== undefined) return showAgain(visit, known, input, { ...denied, heading })

  const work = confirm(visit, input.values, known.recent)
  // It goes on if the browser goes away.
  visit.ctx.waitUntil(work)
  const confirmed = await work
  if ('view' in confirmed) {
    const { view, audit } = confirmed
    const isKept = view.outcome === 'failed' || view.outcome === 'expired'
    return { ...view, audit, ...(isKept && { entered }) }
  }
  if ('rival' in confirmed) {
    const now = { ...known, other: confirmed.rival }
    const { changedSince: text } = messages
    return showAgain(visit, now, input, createPage(visit, 'in_progress', { heading, text }))
  }
  // Nothing was done, so the agent can try again.
  const { rejected, audit } = confirmed
  const view = { ...describeRefusal(visit, rejected, input), audit }
  return showAgain(visit, known, withProblem(rejected, input), view)
}

/** Whether the agent has seen, and ticked, what became of the same before. */
async function findUnseen(
  visit: Visit,
  body: URLSearchParams,
  known: KnownReceipts,
): Promise<PageView | undefined> {
  const { other } = known
  if (other === undefined) return undefined
  const { messages } = visit.actions
  const { label: heading } = visit.definition
  const hasSeen = nameReceipt(visit, other) === (body.get('seen') ?? '')
  if (!hasSeen) {
    const text = messages.changedSince
    return createPage(visit, 'in_progress', { heading, text })
  }
  if (!mustCheck(visit, known) || body.has('checked')) return undefined
  return createPage(visit, 'invalid', { status: 422, heading, text: messages.notChecked })
}

/** The error of a field is shown at the field, and any other one above the form. */
function describeRefusal(visit: Visit, error: ActionError, input: FormInput): PageView {
  const { checkFields } = visit.actions.messages
  const text = isAtField(error, input) ? checkFields : error.message
  return createPage(visit, 'refused', { text, error })
}

function withProblem(error: ActionError, input: FormInput): FormInput {
  if (!isAtField(error, input)) return input
  return { ...input, problems: new Map([[error.field as string, error.message]]) }
}

function isAtField({ field }: ActionError, { entered }: FormInput): boolean {
  return field !== undefined && entered.has(field)
}
