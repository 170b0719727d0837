import { encodePiece } from '../app/encode.ts'
import { flatten } from '../app/flatten.ts'
import type { Component } from '../contract/generated/types.ts'
import { isArray } from '../internal/hostile-values.ts'
import { Deadline, isTimeout, runUserCode, runWithin } from '../internal/user-code.ts'
import { formatDateTime } from '../render/format-date-time.ts'
import { isActionError } from './action-error.ts'
import type { RefreshedSections } from './action.ts'
import { type ClaimState, isClaimState } from './claims.ts'
import { linkJson } from './make-links.ts'
import { CLAIMS_MS, callClaims } from './open-visit.ts'
import type { PageView } from './page-view.ts'
import { createClaimId, createId } from './token.ts'
import { ActionRequest, type Visit } from './visit.ts'

/** Claims live longer than their links, so that no link outlives its claim. */
const EXTRA_SECONDS = 86_400

/** The owner of the note that says when an action was last done for an input. */
const NOTE = 'last'

/** Returns the ID of the claim of a visit: that of the link, or what `once` returns. */
export async function claimIdOf({
  app,
  definition,
  input,
  link,
  deadline,
}: Visit): Promise<string> {
  const { options, name } = definition
  if (options.once === undefined) return createClaimId(app.name, name, 'link', link.id)
  const once: unknown = await runUserCode(() => options.once?.(input, link.ids), deadline)
  if (typeof once !== 'string' || once === '') {
    throw new TypeError('The option once of an action must return a non-empty string.')
  }
  return createClaimId(app.name, name, 'once', once)
}

function noteIdOf({ app, definition, link }: Visit): Promise<string> {
  return createClaimId(app.name, definition.name, 'input', link.input)
}

/** Takes the claim, and runs the action if it got it. Never rejects. */
export async function confirm(visit: Visit, values: object): Promise<PageView> {
  const { claims, link, actions } = visit
  const owner = createId()
  let id: string | undefined
  let taken: unknown
  try {
    const ownId = await claimIdOf(visit)
    id = ownId
    const untilSeconds = link.expiresAtSeconds + EXTRA_SECONDS
    taken = await callClaims(() => claims.claim(ownId, owner, untilSeconds))
    if (taken !== 'claimed' && !isClaimState(taken)) {
      throw new TypeError('claim() must return "claimed" or the state of another claim.')
    }
  } catch (error) {
    // The store may have taken the claim without a reply. Nothing runs with it.
    if (id !== undefined) giveBack(visit, id, owner)
    const { unavailable: heading, notStarted: text } = actions.messages
    return { outcome: 'failed', status: 503, heading, text, error, showsTraceId: true }
  }
  return taken === 'claimed' ? runOnce(visit, values, id, owner) : showState(visit, taken)
}

/** Runs the action. From here on, only an `ActionError` says that nothing was done. */
async function runOnce(visit: Visit, values: object, id: string, owner: string): Promise<PageView> {
  const { claims, ctx: shown, definition, input, link, agent, actions } = visit
  const { messages } = actions
  const deadline = new Deadline(definition.timeoutMs)
  const ctx = new ActionRequest(visit, link.ids, shown.env, deadline, agent)
  let content: unknown
  try {
    const run = () => definition.options.run(ctx, input, values)
    content = await ctx.run('action.run', { 'sidecard.action': definition.name }, run, deadline)
  } catch (error) {
    if (isActionError(error)) {
      await settle(visit, () => claims.release(id, owner))
      const { notDone: heading } = messages
      return { outcome: 'refused', status: 409, heading, text: error.message, error }
    }
    await settle(visit, () => claims.settle(id, owner, 'unknown'))
    const { unknown: heading, unknownText: text } = messages
    const status = isTimeout(error) ? 504 : 500
    return { outcome: 'unknown', status, heading, text, error, showsTraceId: true }
  } finally {
    deadline.clear()
  }
  await Promise.all([settle(visit, () => claims.settle(id, owner, 'done')), refreshCaches(visit)])
  ctx.waitUntil(noteDone(visit))
  const { done: heading, reload: text } = messages
  const result = { outcome: 'done', status: 200, heading, text, showsTraceId: true } as const
  try {
    return { ...result, components: await toComponents(content ?? [], visit) }
  } catch (error) {
    // It is done, even if its result cannot be shown.
    return { ...result, error }
  }
}

/** Validates what user code returned, and makes the links of its buttons. */
export async function toComponents(content: unknown, visit: Visit): Promise<readonly Component[]> {
  const { app, ctx, actions, reader } = visit
  const { json } = encodePiece(flatten(content), app)
  return JSON.parse(`[${await linkJson(json, ctx, actions, reader)}]`) as Component[]
}

/** Shows what another confirmation did. */
export function showState(visit: Visit, { state, atSeconds }: ClaimState): PageView {
  const { actions, definition, nowMs } = visit
  const { messages, timeZone } = actions
  const time = formatDateTime(new Date(atSeconds * 1_000).toISOString(), timeZone)
  if (state === 'done') {
    const { alreadyDone: heading } = messages
    return { outcome: 'already_done', status: 200, heading, text: messages.alreadyDoneAt(time) }
  }
  // A process that died during the action leaves its claim.
  const hasEnded = nowMs > atSeconds * 1_000 + definition.timeoutMs + CLAIMS_MS
  if (state === 'unknown' || hasEnded) {
    const { unknown: heading, unknownText: text } = messages
    return { outcome: 'unknown', status: 500, heading, text, showsTraceId: true }
  }
  const { inProgress: heading, inProgressText: text } = messages
  return { outcome: 'in_progress', status: 409, heading, text }
}

/** Returns when the action was last done for this input, if the claims know. */
export async function findLastDone(visit: Visit): Promise<string | undefined> {
  const { claims, actions } = visit
  const id = await noteIdOf(visit)
  const found: unknown = await callClaims(() => claims.find?.(id))
  if (!isClaimState(found) || found.state !== 'done') return undefined
  return formatDateTime(new Date(found.atSeconds * 1_000).toISOString(), actions.timeZone)
}

async function noteDone(visit: Visit): Promise<void> {
  const { claims, link } = visit
  if (claims.find === undefined) return
  const id = await noteIdOf(visit)
  await callClaims(() => claims.release(id, NOTE))
  await callClaims(() => claims.claim(id, NOTE, link.expiresAtSeconds + EXTRA_SECONDS))
  await callClaims(() => claims.settle(id, NOTE, 'done'))
}

/** Writes the end of a claim, and tries a second time. The log says if it failed. */
async function settle(visit: Visit, write: () => unknown): Promise<void> {
  try {
    await callClaims(write)
  } catch {
    visit.ctx.waitUntil(callClaims(write))
  }
}

function giveBack(visit: Visit, id: string, owner: string): void {
  visit.ctx.waitUntil(callClaims(() => visit.claims.release(id, owner)))
}

/** How long the page waits until caches know that their entries are old. */
const CACHE_MS = 2_000

/** Replaces the payload of the issue, and the sections that the action names. */
async function refreshCaches(visit: Visit): Promise<void> {
  const { app, ctx, definition, input } = visit
  try {
    await runWithin(CACHE_MS, async () => {
      const named: unknown = await definition.options.refresh?.(input)
      const sections = (isArray(named) ? named : []) as RefreshedSections
      await Promise.all([
        app.cache?.expire?.(ctx),
        ...sections.map(([cache, key]) => cache.expire?.(ctx, key)),
      ])
    })
  } catch (error) {
    ctx.warnOfCache('not_refreshed', error)
  }
}
