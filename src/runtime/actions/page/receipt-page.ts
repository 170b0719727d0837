import type { Component } from '../../contract/generated/types.ts'
import { callUserCode } from '../../internal/user-code.ts'
import { formatDateTime } from '../../render/format-date-time.ts'
import { createFormToken } from '../links/crypto.ts'
import { linkJson } from '../links/make-links.ts'
import { openContent, type Receipt, type ReceiptContent } from '../receipts/receipts.ts'
import { PHASES, SIGN_MS } from '../receipts/states.ts'
import { isConfirmedBy, isFoundNotDone, type Ledger, phaseIn } from '../run/ledger.ts'
import { type Denial, findDenialToSet } from '../run/permission.ts'
import { nameAgent } from '../sign-in/agent.ts'
import {
  type ActionPageRequest,
  explainDenial,
  type FormTarget,
  type PageView,
} from './page-view.ts'
import { linkTo } from './sign-in.ts'

/** Shows the receipt of a confirmation, which is the same for every agent and through every link. */
export async function showReceipt(request: ActionPageRequest, receipt: Receipt): Promise<PageView> {
  return renderReceipt(request, receipt, await openContent(receipt, request.setup.receiptKeys))
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
  const parts = {
    ...(sentence !== request.definition.label && { sentence }),
    facts: listFacts(request, receipt),
    traceId: receipt.traceId,
    ...changes,
  }
  const phase = phaseIn(request, receipt)
  switch (phase) {
    case 'done': {
      const isByAgent = receipt.linkId === request.linkId && isConfirmedBy(request, receipt)
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
      const resolve = isAllowed && answers.length > 0 ? { ...target, answers } : undefined
      const audit = sentence === undefined ? undefined : { sentence }
      return request.page('unknown', { text, resolve, audit, ...parts })
    }
  }
}

/** Says when a confirmation can no longer have an effect. */
export function describeOpen(request: ActionPageRequest, { settlesAtMs }: Receipt): string {
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
export function describeLast(
  request: ActionPageRequest,
  { last, lastDone }: Ledger,
): string | undefined {
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

/** Returns the target of a form. `seen` names the receipts that it shows. */
export async function targetOf(request: ActionPageRequest, seen: string): Promise<FormTarget> {
  const { setup, token, keys, link, agent, definition } = request
  const formToken = await createFormToken(keys, link.id, agent?.id)
  return { path: setup.path, token, formToken, seen, label: definition.label }
}

/** Formats a time for the page, such as `3 minutes ago (2027-03-01 09:00 UTC)`. */
function formatTime({ actions, now }: ActionPageRequest, atMs: number): string {
  const exact = formatDateTime(new Date(atMs).toISOString(), actions.timeZone)
  const seconds = (atMs - now()) / 1_000
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? UNITS[3]
  // A page never says that something can be checked earlier than it can.
  const amount = Math.ceil(seconds / size)
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
export async function linkComponents(
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
