import { DesignedCardError } from '../../app/designed-card.ts'
import { encodePiece } from '../../app/request/encode.ts'
import { flatten } from '../../app/request/flatten.ts'
import type { Component } from '../../contract/generated/types.ts'
import { isInstance } from '../../internal/hostile-values.ts'
import { callUserCode, runUserCode } from '../../internal/user-code.ts'
import { formatDateTime } from '../../render/format-date-time.ts'
import { type Form, isForm } from '../fields/fields.ts'
import { linkJson } from '../links/buttons.ts'
import { createFormToken } from '../links/crypto.ts'
import { directionOf } from '../messages.ts'
import { openContent, type Receipt, type ReceiptContent } from '../receipts/receipts.ts'
import { PHASES, SIGN_MS } from '../receipts/states.ts'
import { isActionError } from '../run/action-error.ts'
import { renew, summarize } from '../run/authorized-request.ts'
import {
  followLedger,
  isConfirmedBy,
  isFoundNotDone,
  isTaken,
  type Ledger,
  nameSeen,
  phaseIn,
} from '../run/ledger.ts'
import { type Denial, findDenialToSet } from '../run/permission.ts'
import { nameAgent } from '../sign-in/agent.ts'
import { DenialError, explainDenial } from '../sign-in/groups.ts'
import type { FormInput } from './form-body.ts'
import { linkTo } from './open-link.ts'
import type { ActionPageRequest, FormView, PageView } from './page-view.ts'

/** Shows the receipt that decides, or the content of `show` and the form. */
export async function showPage(request: ActionPageRequest): Promise<PageView> {
  const ledger = await followLedger(request).catch((error: unknown): Ledger => {
    // If the store fails, the page still shows which customer is affected.
    request.ctx.log.warn('sidecard actions', { problem: 'receipts not read', error })
    return {}
  })
  return (await showTaken(request, ledger)) ?? showForm(request, ledger)
}

/** Shows the receipt because of which nothing can be confirmed now. */
export async function showTaken(
  request: ActionPageRequest,
  ledger: Ledger,
  entered?: PageView['entered'],
): Promise<PageView | undefined> {
  const { subject } = ledger
  return subject && isTaken(request, ledger) ? showReceipt(request, subject, entered) : undefined
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
  const form = await readForm(request)
  const components = await ctx.run(
    'action.show',
    { 'sidecard.action': definition.name },
    () => options.show(ctx, input),
    deadline,
    (content) => toComponents(content, request),
  )
  const target = await targetOf(request, nameSeen(ledger))
  const isFixed = options.summary !== undefined && Object.keys(form).length === 0
  const text = hasReview(request, form) ? request.actions.messages.review : definition.label
  return {
    components,
    form: { ...target, fields: { form, entered, problems }, buttons: [{ text }] },
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

/**
 * Shows the receipt of a confirmation, which is the same for every agent and through every link.
 *
 * @param entered the fields of the form that led to it
 */
export async function showReceipt(
  request: ActionPageRequest,
  receipt: Receipt,
  entered?: PageView['entered'],
): Promise<PageView> {
  const content = await openContent(receipt, request.setup.receiptKeys)
  return renderReceipt(request, receipt, content, { entered })
}

/** Shows a receipt whose content is known. */
export async function renderReceipt(
  request: ActionPageRequest,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  changes: Partial<PageView> = {},
): Promise<PageView> {
  const { messages } = request.actions
  const { sentence } = content ?? {}
  const isByAgent = receipt.linkId === request.linkId && isConfirmedBy(request, receipt)
  const parts = {
    ...(sentence !== request.definition.label && { sentence }),
    facts: listFacts(request, receipt),
    traceId: receipt.traceId,
    ...changes,
    // Agents know what they have entered themselves.
    ...(isByAgent && { entered: undefined }),
  }
  const phase = phaseIn(request, receipt)
  switch (phase) {
    case 'done': {
      const heading = isByAgent ? messages.done : messages.alreadyDone
      const components = await linkComponents(content?.result ?? '', request)
      return request.page('already_done', { heading, components, ...parts })
    }
    case 'running': {
      const again = linkTo(request.setup.path, request.token)
      return request.page('in_progress', { again, ...parts })
    }
    default: {
      const answers = PHASES[phase].agentMaySet
      const isAllowed = (await findDenialToSet(request, content?.values)) === undefined
      const target = await targetOf(request, receipt.attemptId)
      const text = phase === 'open' ? describeOpen(request, receipt) : messages.unknownText
      const texts = { done: messages.wasDone, not_done: messages.wasNotDone }
      const buttons = answers.map((value) => ({ name: 'resolve', value, text: texts[value] }))
      const form = { ...target, question: messages.resolve, buttons }
      const shown = isAllowed && answers.length > 0 ? { form } : {}
      const audit = sentence === undefined ? undefined : { sentence }
      return request.page('unknown', { text, ...shown, audit, ...parts })
    }
  }
}

/** Says when a confirmation can no longer have an effect. */
function describeOpen(request: ActionPageRequest, { settlesAtMs }: Receipt): string {
  const atMs = Math.max(settlesAtMs, request.now() + SIGN_MS)
  return request.actions.messages.mayStillHappen(formatTime(request, atMs))
}

function listFacts(request: ActionPageRequest, receipt: Receipt): readonly string[] {
  const { messages } = request.actions
  const { agent, setBy, startedAtMs, changedAtMs } = receipt
  const confirmed = messages.confirmedBy(formatTime(request, startedAtMs), nameOf(agent))
  if (setBy === undefined) return [confirmed]
  return [confirmed, messages.setBy(formatTime(request, changedAtMs), nameOf(setBy))]
}

/** Returns the sentences above a form about earlier confirmations. */
function describeLast(request: ActionPageRequest, { last, lastDone }: Ledger): string | undefined {
  const { messages } = request.actions
  const phase = phaseIn(request, last)
  const isNotDone = phase === 'not_done' || isFoundNotDone(request, last)
  const notDoneAtMs = phase === 'not_done' ? last?.changedAtMs : last?.lookedUp?.atMs
  const notes = [
    isNotDone && messages.lastNotDone(formatTime(request, notDoneAtMs ?? 0), nameOf(last?.setBy)),
    lastDone &&
      messages.lastDone(formatTime(request, lastDone.changedAtMs), nameOf(lastDone.agent)),
  ]
  return notes.filter(Boolean).join(' ') || undefined
}

function nameOf(agent: Receipt['setBy']): string | undefined {
  return typeof agent === 'object' ? nameAgent(agent) : undefined
}

/** Returns the parts of each form. `seen` names the receipts that it shows. */
async function targetOf(request: ActionPageRequest, seen: string) {
  const { setup, token, keys, link, agent } = request
  const formToken = await createFormToken(keys, link.id, agent?.id)
  const hidden: FormView['hidden'] = [
    ['t', token],
    ['form', formToken],
    ['seen', seen],
  ]
  return { path: setup.path, hidden }
}

/** Formats a time for the page, such as `3 minutes ago (2027-03-01 09:00 UTC)`. */
function formatTime({ actions, now }: ActionPageRequest, atMs: number): string {
  const seconds = (atMs - now()) / 1_000
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? UNITS[3]
  // A page never says that something can be checked earlier than it can.
  const amount = Math.ceil(seconds / size)
  const shownMs = seconds > 0 ? Math.ceil(atMs / 60_000) * 60_000 : atMs
  const minute = formatDateTime(new Date(shownMs).toISOString(), actions.timeZone)
  // In a right-to-left text, a browser would show the day before the year.
  const exact = directionOf(actions.messages.lang) === 'rtl' ? `\u2066${minute}\u2069` : minute
  const create = (lang: string) => new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const format = callUserCode(() => create(actions.messages.lang)) ?? create('en')
  const text = format.format(amount, unit)
  return `${text} (${exact})`
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Parses the components of a page, and creates the links of their buttons. */
async function linkComponents(
  json: string,
  { ctx, actions, reader, link }: ActionPageRequest,
): Promise<readonly Component[]> {
  const linked = await linkJson(json, ctx, reader, actions.expiresSeconds, link.shown)
  return JSON.parse(`[${linked}]`) as Component[]
}

/** Shows that the agent lacks permission. */
export function showDenied(
  { agent, actions, page }: ActionPageRequest,
  { groups, error }: Denial,
): PageView {
  const { forbiddenText, forbiddenAnyone } = actions.messages
  const text = agent === undefined ? forbiddenAnyone : forbiddenText(nameAgent(agent))
  const reason = error !== undefined && explainDenial(error, actions.messages)
  return page('forbidden', { text, groups, ...reason })
}
