import { DesignedCardError } from '../app/designed-card.ts'
import { encodePiece } from '../app/encode.ts'
import { flatten } from '../app/flatten.ts'
import type { Component } from '../contract/generated/types.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { runUserCode } from '../internal/user-code.ts'
import { isActionError } from './action-error.ts'
import { isForm } from './action.ts'
import type { Form } from './fields.ts'
import type { FormInput } from './form-body.ts'
import { endOf } from './confirm.ts'
import { type KnownReceipts, lookUp } from './known-receipts.ts'
import { stateOf } from './receipt-state.ts'
import { linkJson } from './make-links.ts'
import { createPage, type FormView, type PageView } from './page-view.ts'
import { mayResolve } from './permission.ts'
import { describeLast, showReceipt, targetOf } from './receipt-page.ts'
import { renew, type Visit } from './visit.ts'

/** Shows the receipt of the link, or what will happen and the form. */
export async function showPage(visit: Visit): Promise<PageView> {
  let known: KnownReceipts | undefined
  try {
    known = await lookUp(visit)
  } catch (error) {
    // Without a reply of the store, the page still shows who is affected.
    visit.ctx.log.warn('sidecard actions', { problem: 'receipts not read', error })
  }
  const own = await showOwn(visit, known)
  if (own !== undefined) return own
  // The store, `reconcile` and another confirmation may have taken the time of the request.
  return showAgain(visit, known)
}

/** Shows the receipt of this link, after it has ended for the agent who confirmed it. */
export async function showOwn(
  visit: Visit,
  known: KnownReceipts | undefined,
): Promise<PageView | undefined> {
  if (known?.own === undefined || known.own.state === 'not_done') return undefined
  const own = await endOf(visit, known.own)
  return own === undefined ? undefined : showReceipt(visit, own)
}

/** Shows a form again, with what the agent entered and with what is wrong. */
export function showAgain(
  visit: Visit,
  known: KnownReceipts | undefined,
  input?: FormInput,
  notice?: PageView,
): Promise<PageView> {
  return withOwnTime(visit, (renewed) => showForm(renewed, known, input, notice))
}

async function withOwnTime(
  visit: Visit,
  show: (visit: Visit) => Promise<PageView>,
): Promise<PageView> {
  const renewed = renew(visit)
  try {
    return await show(renewed)
  } finally {
    renewed.deadline.clear()
  }
}

async function showForm(
  visit: Visit,
  known: KnownReceipts | undefined,
  input?: FormInput,
  notice?: PageView,
): Promise<PageView> {
  const { definition } = visit
  const { options, label: heading } = definition
  let fields: Form | undefined
  try {
    fields = await readForm(visit)
    const components = await runShow(visit)
    const form = await createForm(visit, fields, known, input)
    const isFixed = options.confirm !== undefined && Object.keys(fields).length === 0
    const other = known?.other
    const isUnknown = other !== undefined && stateOf(visit, other) === 'unknown'
    return {
      ...createPage(visit, 'shown', { heading }),
      ...notice,
      components,
      form,
      ...(isFixed && { sentence: String(options.confirm?.(visit.input, {})) }),
      ...(other !== undefined && { notice: describeLast(visit, other) }),
      ...(isUnknown && (await mayResolve(visit)) && { resolve: await targetOf(visit, other) }),
    }
  } catch (error) {
    if (notice === undefined) return showFailure(visit, error)
    const entered = [...(input?.entered ?? [])]
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, fields?.[name]?.view.label ?? name, text] as const)
    return { ...notice, entered }
  }
}

async function createForm(
  visit: Visit,
  fields: Form,
  known: KnownReceipts | undefined,
  input: FormInput | undefined,
): Promise<FormView> {
  const { entered = new Map(), problems = new Map() } = input ?? {}
  const target = await targetOf(visit, known?.other)
  return { ...target, fields, entered, problems, mustCheck: mustCheck(visit, known) }
}

/** Whether the agent must say that the last confirmation of the same was not done. */
export function mustCheck(visit: Visit, known: KnownReceipts | undefined): boolean {
  return known?.other !== undefined && stateOf(visit, known.other) !== 'done'
}

/** Returns the form of an action, for this customer. @throws {unknown} what `form` throws */
export async function readForm({ definition, ctx, input, deadline }: Visit): Promise<Form> {
  const { form, name } = definition
  if (typeof form !== 'function') return form
  const fields: unknown = await runUserCode(() => form(ctx, input), deadline)
  if (isForm(fields)) return fields
  throw new TypeError(`The option form of ${name} must return an object of fields.`)
}

function runShow(visit: Visit): Promise<readonly Component[]> {
  const { definition, ctx, input, deadline } = visit
  const attributes = { 'sidecard.action': definition.name }
  const run = () => definition.options.show(ctx, input)
  return ctx.run('action.show', attributes, run, deadline, (content) =>
    toComponents(content, visit),
  )
}

/** Validates what user code returned, and makes the links of its buttons. */
async function toComponents(content: unknown, visit: Visit): Promise<readonly Component[]> {
  const { app, ctx, actions, reader } = visit
  const { json } = encodePiece(flatten(content), app)
  return JSON.parse(
    `[${await linkJson(json, ctx, actions, reader, visit.link.cacheKey)}]`,
  ) as Component[]
}

/** Shows why there is no form: `show` or `form` failed, or found no customer. */
async function showFailure(visit: Visit, error: unknown): Promise<PageView> {
  if (isActionError(error)) return createPage(visit, 'refused', { text: error.message, error })
  if (isInstance(error, DesignedCardError)) {
    const { card } = DesignedCardError.show(error, visit.app.messages)
    const components = await toComponents(card, visit).catch(() => [])
    return createPage(visit, 'not_found', { components })
  }
  return createPage(visit, 'failed', { error })
}
