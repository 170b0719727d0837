import { formatDateTime } from '../render/format-date-time.ts'
import { nameAgent } from './agent.ts'
import { isConfirmedBy, nameReceipt, stateOf } from './receipt-state.ts'
import { linkComponents } from './make-links.ts'
import type { FormTarget, PageView } from './page-view.ts'
import { mayResolve } from './permission.ts'
import { openContent, type ReceiptContent } from './receipt-content.ts'
import type { Receipt } from './receipts.ts'
import { linkTo } from './sign-in.ts'
import { createFormToken } from './token.ts'
import type { Visit } from './visit.ts'

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
  switch (stateOf(visit, receipt)) {
    case 'done': {
      const isOwn = content?.linkId === visit.link.id && isConfirmedBy(visit, receipt)
      const heading = isOwn ? messages.done : messages.alreadyDone
      const components = await linkComponents(content?.result ?? '', visit)
      return visit.page('already_done', { heading, components, ...parts })
    }
    case 'running': {
      const again = linkTo(visit.setup.path, visit.token)
      return visit.page('in_progress', { again, ...parts })
    }
    default: {
      const resolve = (await mayResolve(visit)) ? await targetOf(visit, receipt) : undefined
      return visit.page('unknown', { resolve, ...parts })
    }
  }
}

function listFacts(visit: Visit, receipt: Receipt): readonly string[] {
  const { confirmedBy, resolvedBy } = visit.actions.messages
  const { agent, resolvedBy: resolver, startedAtMs, changedAtMs } = receipt
  const confirmed = confirmedBy(formatTime(visit, startedAtMs), agent && nameAgent(agent))
  if (resolver === undefined) return [confirmed]
  const name = resolver === true ? undefined : nameAgent(resolver)
  return [confirmed, resolvedBy(formatTime(visit, changedAtMs), name)]
}

/** Returns the sentence above a form about the last confirmation of the same intent. */
export function describeLast(visit: Visit, receipt: Receipt): string {
  const { lastDone, lastRunning, lastUnknown } = visit.actions.messages
  const state = stateOf(visit, receipt)
  const describe = state === 'done' ? lastDone : state === 'running' ? lastRunning : lastUnknown
  const atMs = state === 'done' ? receipt.changedAtMs : receipt.startedAtMs
  return describe(formatTime(visit, atMs), receipt.agent && nameAgent(receipt.agent))
}

/** Returns the target of a form about a receipt. */
export async function targetOf(visit: Visit, receipt: Receipt | undefined): Promise<FormTarget> {
  const { setup, token, keys, link, agent } = visit
  const formToken = await createFormToken(keys, link.id, agent?.id)
  return { path: setup.path, token, formToken, seen: nameReceipt(visit, receipt) }
}

/** Formats a time, in milliseconds since 1970, for the page. */
export function formatTime({ actions }: Visit, atMs: number): string {
  return formatDateTime(new Date(atMs).toISOString(), actions.timeZone)
}
