import type { RequestContext } from '../app/request/request-context.ts'
import type { Component } from '../contract/generated/types.ts'
import { parseMark, splitMarks } from './action-mark.ts'
import { readActionTest } from '../internal/action-test.ts'
import { writeLog } from '../internal/logger.ts'
import type { ResolvedActions } from './options.ts'
import { ownUrl, PAGE_PATH, readNow, type SetupReader } from './setup.ts'
import { openReceipts } from './store.ts'
import { createId, sealLink } from './token.ts'
import type { Visit } from './visit.ts'

/**
 * The maximum length of a URL, because programs that pass on longer ones may
 * truncate them (A17).
 */
const MAX_LINK_LENGTH = 2_000

/** The path and query of the page that says that an action is not available. */
export const UNAVAILABLE = 'unavailable'

/** Parses components for the page of a visit, and creates the links of their buttons. */
export async function linkComponents(json: string, visit: Visit): Promise<readonly Component[]> {
  const { ctx, actions, reader, link } = visit
  return JSON.parse(`[${await linkJson(json, ctx, actions, reader, link.cacheKey)}]`) as Component[]
}

/**
 * Replaces the marks in JSON with links, which contain the IDs of the request and
 * an expiry. Never rejects.
 */
export async function linkJson(
  json: string,
  ctx: RequestContext,
  actions: ResolvedActions,
  reader: SetupReader,
  cacheKey: string | undefined,
): Promise<string> {
  const parts = splitMarks(json)
  if (parts.length === 1) return json
  const { c, env, app, params: ids, traceId } = ctx
  // The store may treat a link that is older than itself as expired, so it is opened before the
  // first link. If this fails, the page reports it.
  ctx.waitUntil(openReceipts(actions, c, env, ctx.deadline).catch(() => undefined))
  const test = readActionTest(c)
  const { setup, problems } = await reader.read(c, env, test)
  const issuedAtMs = readNow(test)
  const expiresAtSeconds = Math.floor(issuedAtMs / 1_000) + actions.expiresSeconds
  const tooLong = new Set<string>()
  const linked = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      const unavailable = `${setup?.pageUrl ?? ownUrl(c) + PAGE_PATH}?${UNAVAILABLE}`
      if (setup === undefined) return unavailable
      const mark = parseMark(part)
      const content = { ...mark, ids, cacheKey, id: createId(), issuedAtMs, expiresAtSeconds }
      const link = `${setup.pageUrl}?t=${await sealLink(content, setup.audience, setup.keys[0])}`
      if (link.length <= MAX_LINK_LENGTH) return link
      tooLong.add(`The input of ${mark.name} is too long for a link.`)
      return unavailable
    }),
  )
  const all = [...problems, ...tooLong]
  if (all.length > 0) {
    const line = { msg: 'sidecard actions', app: app.name, traceId, problems: all }
    writeLog(app.logger, 'error', line)
  }
  return linked.join('')
}
