import { formatDateTime } from '../render/format-date-time.ts'
import type { Component } from '../contract/generated/types.ts'
import { nameAgent } from './agent.ts'
import { isSameAgent, nameReceipt, stateOf } from './receipt-state.ts'
import { linkJson } from './make-links.ts'
import { linkTo } from './sign-in.ts'
import { createPage, type FormTarget, type PageView } from './page-view.ts'
import { mayResolve } from './permission.ts'
import { openContent, type ReceiptContent } from './receipt-content.ts'
import type { Receipt } from './receipts.ts'
import { createFormToken } from './token.ts'
import type { Visit } from './visit.ts'

/** Shows the receipt of a confirmation: the same for everyone, however often. */
export async function showReceipt(visit: Visit, receipt: Receipt): Promise<PageView> {
  const content = await openContent(receipt, visit.setup.receiptKeys)
  return renderReceipt(visit, receipt, content)
}

/** Shows a receipt whose content is known. */
export async function renderReceipt(
  visit: Visit,
  receipt: Receipt,
  content: ReceiptContent | undefined,
  changes: Partial<PageView> = {},
): Promise<PageView> {
  const { actions, definition, setup, token, agent, link } = visit
  const { messages } = actions
  const { traceId } = receipt
  const isNamed = content !== undefined && content.sentence !== definition.label
  const parts = {
    ...(isNamed && { sentence: content.sentence }),
    facts: listFacts(visit, receipt),
    traceId,
  }
  switch (stateOf(visit, receipt)) {
    case 'done': {
      const isOwn = content?.linkId === link.id && isSameAgent(agent, receipt.agent)
      const heading = isOwn ? messages.done : messages.alreadyDone
      const components = await readResult(visit, content?.result)
      return createPage(visit, 'already_done', { heading, components, ...parts, ...changes })
    }
    case 'running': {
      const again = linkTo(new URL(setup.pageUrl).pathname, token)
      return createPage(visit, 'in_progress', { again, ...parts, ...changes })
    }
    default: {
      const resolve = (await mayResolve(visit)) ? await targetOf(visit, receipt) : undefined
      return createPage(visit, 'unknown', { resolve, ...parts, ...changes })
    }
  }
}

/** The components that `run` returned, with links for this page. */
async function readResult(visit: Visit, result: string | undefined): Promise<readonly Component[]> {
  const { ctx, actions, reader } = visit
  if (result === undefined) return []
  return JSON.parse(
    `[${await linkJson(result, ctx, actions, reader, visit.link.cacheKey)}]`,
  ) as Component[]
}

function listFacts(visit: Visit, receipt: Receipt): readonly string[] {
  const { confirmedBy, resolvedBy } = visit.actions.messages
  const { agent, resolvedBy: resolver } = receipt
  const time = formatTime(visit, receipt.changedAtMs)
  return [
    confirmedBy(formatTime(visit, receipt.startedAtMs), agent && nameAgent(agent)),
    ...(resolver === undefined
      ? []
      : [resolvedBy(time, resolver === true ? undefined : nameAgent(resolver))]),
  ]
}

/** Says above a form what became of the same before; `undefined` if there is nothing to say. */
export function describeLast(visit: Visit, receipt: Receipt): string {
  const { lastDone, lastRunning, lastUnknown } = visit.actions.messages
  const state = stateOf(visit, receipt)
  const describe = state === 'done' ? lastDone : state === 'running' ? lastRunning : lastUnknown
  const atMs = state === 'done' ? receipt.changedAtMs : receipt.startedAtMs
  return describe(formatTime(visit, atMs), receipt.agent && nameAgent(receipt.agent))
}

/** Returns where a form about a receipt is sent. */
export async function targetOf(visit: Visit, receipt: Receipt | undefined): Promise<FormTarget> {
  const { setup, token, keys, link, agent } = visit
  return {
    path: new URL(setup.pageUrl).pathname,
    token,
    formToken: await createFormToken(keys, link.id, agent?.id),
    seen: nameReceipt(visit, receipt),
  }
}

/** Formats a time, in milliseconds since 1970, for the page. */
export function formatTime({ actions }: Visit, atMs: number): string {
  return formatDateTime(new Date(atMs).toISOString(), actions.timeZone)
}
