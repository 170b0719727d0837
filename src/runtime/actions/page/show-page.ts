import { DesignedCardError } from '../../app/designed-card.ts'
import { encodePiece } from '../../app/request/encode.ts'
import { flatten } from '../../app/request/flatten.ts'
import type { Component } from '../../contract/generated/types.ts'
import { isInstance } from '../../internal/hostile-values.ts'
import { runUserCode } from '../../internal/user-code.ts'
import { isActionError } from '../run/action-error.ts'
import { isForm } from '../action.ts'
import type { Form } from '../fields/fields.ts'
import type { FormInput } from './form-body.ts'
import { followLedger, readLedger } from '../run/ledger.ts'
import { isTaken, type Ledger, nameSeen } from '../run/phase.ts'
import { hasReview } from './review.ts'
import { linkComponents } from '../links/make-links.ts'
import type { PageView } from './page-view.ts'
import { describeLast, showReceipt, targetOf } from './receipt-page.ts'
import { DenialError, explainDenial } from '../sign-in/denial-error.ts'
import { linkTo } from './sign-in.ts'
import { renew, type Visit } from '../run/visit.ts'

/** Shows the receipt that decides, or the content of `show` and the form. */
export async function showPage(visit: Visit): Promise<PageView> {
  let ledger: Ledger | undefined
  try {
    ledger = await followLedger(visit, await readLedger(visit))
  } catch (error) {
    // If the store fails, the page still shows which customer is affected.
    visit.ctx.log.warn('sidecard actions', { problem: 'receipts not read', error })
    return showForm(visit, {})
  }
  return (await showTaken(visit, ledger)) ?? showForm(visit, ledger)
}

/** Shows the receipt because of which nothing can be confirmed now. */
export async function showTaken(visit: Visit, ledger: Ledger): Promise<PageView | undefined> {
  const { subject } = ledger
  return subject && isTaken(visit, ledger) ? showReceipt(visit, subject) : undefined
}

/** Shows the form, or shows it again with the entered values and their problems. */
export async function showForm(
  visit: Visit,
  ledger: Ledger,
  input?: FormInput,
  notice?: PageView,
): Promise<PageView> {
  // The store, `lookUp` and a wait may have used up the time of the request.
  const renewed = renew(visit)
  try {
    const form = await createForm(renewed, ledger, input)
    return { ...visit.page('shown', { heading: visit.definition.label }), ...notice, ...form }
  } catch (error) {
    if (notice === undefined) return await showFailure(renewed, error)
    const again = linkTo(visit.setup.path, visit.token)
    return { ...notice, entered: input?.entered, again }
  } finally {
    renewed.deadline.clear()
  }
}

async function createForm(
  visit: Visit,
  ledger: Ledger,
  { entered = [], problems = new Map() }: Partial<FormInput> = {},
): Promise<Partial<PageView>> {
  const { definition, ctx, input, deadline } = visit
  const { options } = definition
  const fields = await readForm(visit)
  const components = await ctx.run(
    'action.show',
    { 'sidecard.action': definition.name },
    () => options.show(ctx, input),
    deadline,
    (content) => toComponents(content, visit),
  )
  const target = await targetOf(visit, nameSeen(ledger))
  const isFixed = options.summary !== undefined && Object.keys(fields).length === 0
  return {
    components,
    form: { ...target, fields, entered, problems, hasReview: hasReview(visit, fields) },
    ...(isFixed && { sentence: String(options.summary?.(input, {})) }),
    notice: describeLast(visit, ledger),
  }
}

/** Returns the form of an action, for this customer. @throws {unknown} what `form` throws */
export async function readForm({ definition, ctx, input, deadline }: Visit): Promise<Form> {
  const { form, name } = definition
  if (typeof form !== 'function') return form
  const fields: unknown = await runUserCode(() => form(ctx, input), deadline)
  if (isForm(fields)) return fields
  throw new TypeError(`The option form of ${name} must return an object of fields.`)
}

/** Validates the components that user code returned, and creates the links of their buttons. */
function toComponents(content: unknown, visit: Visit): Promise<readonly Component[]> {
  return linkComponents(encodePiece(flatten(content), visit.app).json, visit)
}

/** Shows why there is no form: `show` or `form` failed, or found no customer. */
async function showFailure(visit: Visit, error: unknown): Promise<PageView> {
  if (isActionError(error)) return visit.page('refused', { text: error.message, error })
  if (isInstance(error, DenialError)) {
    return visit.page('forbidden', explainDenial(error, visit.actions.messages))
  }
  if (!isInstance(error, DesignedCardError)) return visit.page('failed', { error })
  const { card } = DesignedCardError.show(error, visit.app.messages)
  const components = await toComponents(card, visit).catch(() => [])
  return visit.page('not_found', { components })
}
