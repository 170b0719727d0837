import { DesignedCardError } from '../../app/designed-card.ts'
import { encodePiece } from '../../app/request/encode.ts'
import { flatten } from '../../app/request/flatten.ts'
import type { Component } from '../../contract/generated/types.ts'
import { isInstance } from '../../internal/hostile-values.ts'
import { runUserCode } from '../../internal/user-code.ts'
import { type Form, isForm } from '../fields/fields.ts'
import { isActionError } from '../run/action-error.ts'
import { renew, summarize } from '../run/authorized-request.ts'
import { followLedger, isTaken, type Ledger, nameSeen, readLedger } from '../run/ledger.ts'
import { DenialError } from '../sign-in/groups.ts'
import type { FormInput } from './form-body.ts'
import { type ActionPageRequest, explainDenial, type PageView } from './page-view.ts'
import { describeLast, linkComponents, showReceipt, targetOf } from './receipt-page.ts'
import { linkTo } from './sign-in.ts'

/** Shows the receipt that decides, or the content of `show` and the form. */
export async function showPage(request: ActionPageRequest): Promise<PageView> {
  let ledger: Ledger | undefined
  try {
    ledger = await followLedger(request, await readLedger(request))
  } catch (error) {
    // If the store fails, the page still shows which customer is affected.
    request.ctx.log.warn('sidecard actions', { problem: 'receipts not read', error })
    return showForm(request, {})
  }
  return (await showTaken(request, ledger)) ?? showForm(request, ledger)
}

/** Shows the receipt because of which nothing can be confirmed now. */
export async function showTaken(
  request: ActionPageRequest,
  ledger: Ledger,
): Promise<PageView | undefined> {
  const { subject } = ledger
  return subject && isTaken(request, ledger) ? showReceipt(request, subject) : undefined
}

/** Shows the form, or shows it again with the entered values and their problems. */
export async function showForm(
  request: ActionPageRequest,
  ledger: Ledger,
  input?: FormInput,
  notice?: PageView,
): Promise<PageView> {
  // The store, `lookUp` and a wait may have used up the time of the request.
  const renewed = renew(request)
  try {
    const form = await createForm(renewed, ledger, input)
    return { ...request.page('shown', { heading: request.definition.label }), ...notice, ...form }
  } catch (error) {
    if (notice === undefined) return await showFailure(renewed, error)
    const again = linkTo(request.setup.path, request.token)
    return { ...notice, entered: input?.entered, again }
  } finally {
    renewed.deadline.clear()
  }
}

async function createForm(
  request: ActionPageRequest,
  ledger: Ledger,
  { entered = [], problems = new Map() }: Partial<FormInput> = {},
): Promise<Partial<PageView>> {
  const { definition, ctx, input, deadline } = request
  const { options } = definition
  const fields = await readForm(request)
  const components = await ctx.run(
    'action.show',
    { 'sidecard.action': definition.name },
    () => options.show(ctx, input),
    deadline,
    (content) => toComponents(content, request),
  )
  const target = await targetOf(request, nameSeen(ledger))
  const isFixed = options.summary !== undefined && Object.keys(fields).length === 0
  return {
    components,
    form: { ...target, fields, entered, problems, hasReview: hasReview(request, fields) },
    ...(isFixed && { sentence: summarize(request, {}) }),
    notice: describeLast(request, ledger),
  }
}

/** Returns the form of an action, for this customer. @throws {unknown} what `form` throws */
export async function readForm({
  definition,
  ctx,
  input,
  deadline,
}: ActionPageRequest): Promise<Form> {
  const { form, name } = definition
  if (typeof form !== 'function') return form
  const fields: unknown = await runUserCode(() => form(ctx, input), deadline)
  if (isForm(fields)) return fields
  throw new TypeError(`The option form of ${name} must return an object of fields.`)
}

/** Validates the components that user code returned, and creates the links of their buttons. */
function toComponents(content: unknown, request: ActionPageRequest): Promise<readonly Component[]> {
  return linkComponents(encodePiece(flatten(content), request.app).json, request)
}

/** Shows why there is no form: `show` or `form` failed, or found no customer. */
async function showFailure(request: ActionPageRequest, error: unknown): Promise<PageView> {
  if (isActionError(error)) return request.page('refused', { text: error.message, error })
  if (isInstance(error, DenialError)) {
    return request.page('forbidden', explainDenial(error, request.actions.messages))
  }
  if (!isInstance(error, DesignedCardError)) return request.page('failed', { error })
  const { card } = DesignedCardError.show(error, request.app.messages)
  const components = await toComponents(card, request).catch(() => [])
  return request.page('not_found', { components })
}

/** Returns whether the agent reads the values of a form back before the action runs. */
export function hasReview({ definition }: ActionPageRequest, form: Form): boolean {
  const { review, options } = definition
  const hasNumbers = Object.values(form).some(({ view }) => view.control === 'decimal')
  return review ?? (options.summary !== undefined && hasNumbers)
}
