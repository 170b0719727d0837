import type { RequestContext } from '../app/request-context.ts'
import type { Component } from '../contract/generated/types.ts'
import { parseMark, splitMarks } from '../internal/action-mark.ts'
import { readActionTest } from '../internal/action-test.ts'
import { writeLog } from '../internal/logger.ts'
import type { ResolvedActions } from './options.ts'
import { ownUrl, PAGE_PATH, readNow, type Setup, type SetupReader } from './setup.ts'
import { openReceipts } from './store.ts'
import { createId, sealLink } from './token.ts'
import type { Visit } from './visit.ts'

/** A longer URL may be cut on its way (A17). */
const MAX_LINK_LENGTH = 2_000

/** The path and query of the page that says that an action is not available. */
export const UNAVAILABLE = 'unavailable'

/** Makes the links of a response, with the IDs of its request and their own expiry. */
export async function linkOutcome<
  O extends { readonly json: string; readonly cacheKey?: string | undefined },
>(outcome: O, ctx: RequestContext, actions: ResolvedActions, reader: SetupReader): Promise<O> {
  return { ...outcome, json: await linkJson(outcome.json, ctx, actions, reader, outcome.cacheKey) }
}

/** Parses components, and makes the links of their buttons for the page of a visit. */
export async function linkComponents(json: string, visit: Visit): Promise<readonly Component[]> {
  const { ctx, actions, reader, link } = visit
  return JSON.parse(`[${await linkJson(json, ctx, actions, reader, link.cacheKey)}]`) as Component[]
}

/** Replaces the marks in JSON by links. Never rejects. */
async function linkJson(
  json: string,
  ctx: RequestContext,
  actions: ResolvedActions,
  reader: SetupReader,
  cacheKey?: string,
): Promise<string> {
  const parts = splitMarks(json)
  if (parts.length === 1) return json
  const test = readActionTest(ctx.c)
  // The store may count links that were made before it was opened as expired. The page says if it fails.
  ctx.waitUntil(openReceipts(actions, ctx.c, ctx.env, ctx.deadline).catch(() => undefined))
  const found = await reader.read(ctx.c, ctx.env, test)
  const nowMs = readNow(test)
  const problems = new Set('problems' in found ? found.problems : [])
  const linked = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      const link =
        'setup' in found
          ? await makeLink(part, ctx, actions, found.setup, nowMs, cacheKey)
          : undefined
      if (link !== undefined && link.length <= MAX_LINK_LENGTH) return link
      if (link !== undefined)
        problems.add(`The input of ${parseMark(part).name} is too long for a link.`)
      const page = 'setup' in found ? found.setup.pageUrl : ownUrl(ctx.c) + PAGE_PATH
      return `${page}?${UNAVAILABLE}`
    }),
  )
  if (problems.size > 0) {
    const { app, traceId } = ctx
    const line = { msg: 'sidecard actions', app: app.name, traceId, problems: [...problems] }
    writeLog(app.logger, 'error', line)
  }
  return linked.join('')
}

async function makeLink(
  part: string,
  { params }: RequestContext,
  { expiresSeconds }: ResolvedActions,
  { pageUrl, audience, keys: [current] }: Setup,
  issuedAtMs: number,
  cacheKey: string | undefined,
): Promise<string> {
  const link = {
    ...parseMark(part),
    ids: params,
    cacheKey,
    id: createId(),
    issuedAtMs,
    expiresAtSeconds: Math.floor(issuedAtMs / 1_000) + expiresSeconds,
  }
  return `${pageUrl}?t=${await sealLink(link, audience, current)}`
}
