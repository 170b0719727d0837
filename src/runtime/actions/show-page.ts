import { DesignedCardError } from '../app/designed-card.ts'
import { encodePiece } from '../app/request/encode.ts'
import { flatten } from '../app/request/flatten.ts'
import type { Component } from '../contract/generated/types.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { runUserCode } from '../internal/user-code.ts'
import { isActionError } from './action-error.ts'
import { isForm } from './action.ts'
import type { Form } from './fields.ts'
import type { FormInput } from './form-body.ts'
import { endOf, type KnownReceipts, lookUp } from './known-receipts.ts'
import { stateOf } from './receipt-state.ts'
import { linkComponents } from './make-links.ts'
import type { PageView } from './page-view.ts'
import { mayResolve } from './permission.ts'
import { describeLast, showReceipt, targetOf } from './receipt-page.ts'
import type { Receipt } from './receipts.ts'
import { DenialError, explainDenial } from './denial-error.ts'
import { renew, type Visit } from './visit.ts'

/** Shows the receipt of the link, or the content of `show` and the form. */
export async function showPage(visit: Visit): Promise<PageView> {
  let known: KnownReceipts = { recent: [] }
  try {
    known = await lookUp(visit)
  } catch (error) {
    // If the store fails, the page still shows which customer is affected.
    visit.ctx.log.warn('sidecard actions', { problem: 'receipts not read', error })
  }
  return (await showOwn(visit, known.own)) ?? showForm(visit, known.other)
}

/**
 * Shows the receipt of this link. For the agent who confirmed it, it waits until
 * the receipt has ended.
 */
export async function showOwn(
  visit: Visit,
  own: Receipt | undefined,
): Promise<PageView | undefined> {
  if (own === undefined || own.state === 'not_done') return undefined
  const ended = await endOf(visit, own)
  return ended && showReceipt(visit, ended)
}

/**
 * Shows the form, or shows it again with the entered values and their problems.
 *
 * @param other the receipt of another link above it
 */
export async function showForm(
  visit: Visit,
  other: Receipt | undefined,
  input?: FormInput,
  notice?: PageView,
): Promise<PageView> {
  // The store, `reconcile` and another confirmation may have used up the time of the request.
  const renewed = renew(visit)
  try {
    const form = await createForm(renewed, other, input)
    return { ...visit.page('shown', { heading: visit.definition.label }), ...notice, ...form }
  } catch (error) {
    if (notice === undefined) return await showFailure(renewed, error)
    return { ...notice, entered: input?.entered }
  } finally {
    renewed.deadline.clear()
  }
}

async function createForm(
  visit: Visit,
  other: Receipt | undefined,
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
  const target = await targetOf(visit, other)
  const isFixed = options.confirm !== undefined && Object.keys(fields).length === 0
  const isUnknown = other !== undefined && stateOf(visit, other) === 'unknown'
  return {
    components,
    form: { ...target, fields, entered, problems, mustCheck: mustCheck(visit, other) },
    ...(isFixed && { sentence: String(options.confirm?.(input, {})) }),
    ...(other !== undefined && { notice: describeLast(visit, other) }),
    ...(isUnknown && (await mayResolve(visit)) && { resolve: target }),
  }
}

/**
 * Returns whether the agent must state that the last confirmation of the same
 * intent was not done.
 */
export function mustCheck(visit: Visit, other: Receipt | undefined): boolean {
  return other !== undefined && stateOf(visit, other) !== 'done'
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
