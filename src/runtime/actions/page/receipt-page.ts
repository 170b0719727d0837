import { callUserCode } from '../../internal/user-code.ts'
import { formatDateTime } from '../../render/format-date-time.ts'
import { nameAgent } from '../sign-in/agent.ts'
import { linkComponents } from '../links/make-links.ts'
import type { FormTarget, PageView } from './page-view.ts'
import { forbid, maySetOutcome } from '../run/permission.ts'
import { isConfirmedBy, isFoundNotDone, type Ledger, phaseIn } from '../run/phase.ts'
import { openContent, type ReceiptContent } from '../receipts/receipt-content.ts'
import type { Receipt } from '../receipts/receipts.ts'
import { linkTo } from './sign-in.ts'
import { PHASES, SIGN_MS } from '../receipts/states.ts'
import { createFormToken } from '../links/token.ts'
import type { Visit } from '../run/visit.ts'

/** Shows the receipt of a confirmation, which is the same for every agent and every visit. */
export async function showReceipt(visit: Visit, receipt: Receipt): Promise<PageView> {
  return renderReceipt(visit, receipt, await openContent(receipt, visit.setup.receiptKeys))
}

/** Shows a receipt whose content is known. */
export async function renderReceipt(
  visit: Visit,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  changes: Partial<PageView> = {},
): Promise<PageView> {
  const { messages } = visit.actions
  const { sentence } = content ?? {}
  const parts = {
    ...(sentence !== visit.definition.label && { sentence }),
    facts: listFacts(visit, receipt),
    traceId: receipt.traceId,
    ...changes,
  }
  const phase = phaseIn(visit, receipt)
  switch (phase) {
    case 'done': {
      const isOwn = receipt.linkId === visit.linkId && isConfirmedBy(visit, receipt)
      const heading = isOwn ? messages.done : messages.alreadyDone
      const components = await linkComponents(content?.result ?? '', visit)
      return visit.page('already_done', { heading, components, ...parts })
    }
    case 'running': {
      const again = linkTo(visit.setup.path, visit.token)
      return visit.page('in_progress', { again, ...parts })
    }
    default: {
      const answers = PHASES[phase].agentMaySet
      const isAllowed =
        (await forbid(visit, content?.values)) === undefined && (await maySetOutcome(visit))
      const target = await targetOf(visit, receipt.attemptId)
      const text = phase === 'open' ? describeOpen(visit, receipt) : messages.unknownText
      const resolve = isAllowed && answers.length > 0 ? { ...target, answers } : undefined
      const audit = sentence === undefined ? undefined : { sentence }
      return visit.page('unknown', { text, resolve, audit, ...parts })
    }
  }
}

/** Says when a confirmation can no longer have an effect. */
export function describeOpen(visit: Visit, { settlesAtMs }: Receipt): string {
  const atMs = Math.max(settlesAtMs, visit.now() + SIGN_MS)
  return visit.actions.messages.mayStillHappen(formatTime(visit, atMs))
}

function listFacts(visit: Visit, receipt: Receipt): readonly string[] {
  const { messages } = visit.actions
  const { agent, setBy, startedAtMs, changedAtMs } = receipt
  const confirmed = messages.confirmedBy(formatTime(visit, startedAtMs), nameOf(agent))
  if (setBy === undefined) return [confirmed]
  return [confirmed, messages.setBy(formatTime(visit, changedAtMs), nameOf(setBy))]
}

/** Returns the sentences above a form about earlier confirmations. */
export function describeLast(visit: Visit, { last, lastDone }: Ledger): string | undefined {
  const { messages } = visit.actions
  const phase = phaseIn(visit, last)
  const isNotDone = phase === 'not_done' || isFoundNotDone(visit, last)
  const notDoneAtMs = phase === 'not_done' ? last?.changedAtMs : last?.lookedUp?.atMs
  const notes = [
    isNotDone && messages.lastNotDone(formatTime(visit, notDoneAtMs ?? 0), nameOf(last?.setBy)),
    lastDone && messages.lastDone(formatTime(visit, lastDone.changedAtMs), nameOf(lastDone.agent)),
  ]
  return notes.filter(Boolean).join(' ') || undefined
}

function nameOf(agent: Receipt['setBy']): string | undefined {
  return typeof agent === 'object' ? nameAgent(agent) : undefined
}

/** Returns the target of a form. `seen` names the receipts that it shows. */
export async function targetOf(visit: Visit, seen: string): Promise<FormTarget> {
  const { setup, token, keys, link, agent, definition } = visit
  const formToken = await createFormToken(keys, link.id, agent?.id)
  return { path: setup.path, token, formToken, seen, label: definition.label }
}

/** Formats a time for the page, such as `3 minutes ago (2027-03-01 09:00 UTC)`. */
function formatTime({ actions, now }: Visit, atMs: number): string {
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
