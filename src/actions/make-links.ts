import type { RequestContext } from '../app/request-context.ts'
import { parseMark, splitMarks } from '../internal/action-mark.ts'
import { readActionTest } from '../internal/action-test.ts'
import { writeLog } from '../internal/logger.ts'
import type { ResolvedActions } from './options.ts'
import { ownUrl, PAGE_PATH, readNow, type Setup, type SetupReader } from './setup.ts'
import { createId, sealLink } from './token.ts'

/** A longer URL may be cut on its way (A17). */
const MAX_LINK_LENGTH = 2_000

/** The path and query of the page that says that an action is not available. */
export const UNAVAILABLE = 'unavailable'

/** Makes the links of a response, with the IDs of its request and their own expiry. */
export async function linkOutcome<O extends { readonly json: string }>(
  outcome: O,
  ctx: RequestContext,
  actions: ResolvedActions,
  reader: SetupReader,
): Promise<O> {
  return { ...outcome, json: await linkJson(outcome.json, ctx, actions, reader) }
}

/** Replaces the marks in JSON by links. Never rejects. */
export async function linkJson(
  json: string,
  ctx: RequestContext,
  actions: ResolvedActions,
  reader: SetupReader,
): Promise<string> {
  const parts = splitMarks(json)
  if (parts.length === 1) return json
  const test = readActionTest(ctx.c)
  const found = await reader.read(ctx.c, ctx.env, test)
  const nowMs = readNow(test)
  const problems = new Set('problems' in found ? found.problems : [])
  const linked = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      const link =
        'setup' in found ? await makeLink(part, ctx, actions, found.setup, nowMs) : undefined
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
): Promise<string> {
  const link = {
    ...parseMark(part),
    ids: params,
    id: createId(),
    issuedAtMs,
    expiresAtSeconds: Math.floor(issuedAtMs / 1_000) + expiresSeconds,
  }
  return `${pageUrl}?t=${await sealLink(link, audience, current)}`
}
