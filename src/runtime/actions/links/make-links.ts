import type { RequestContext } from '../../app/request/request-context.ts'
import { readActionTest } from '../../internal/action-test.ts'
import type { CachedSubject, ShownSubject } from '../../internal/cache-types.ts'
import { writeLog } from '../../internal/logger.ts'
import { type ActionMark, parseMark, splitMarks } from './action-mark.ts'
import { createId } from './crypto.ts'
import { sealLink } from './link.ts'
import { ownUrl, PAGE_PATH, readNow, type Setup, type SetupReader } from './setup.ts'

/**
 * The maximum length of a URL, because programs that pass on longer ones may
 * truncate them (A17).
 */
const MAX_LINK_LENGTH = 2_000

/** The 8 bytes of a subject, encoded twice as base64url, rounded up. */
const CHARACTERS_PER_SUBJECT = 15

/** The path and query of the page that says that an action is not available. */
export const UNAVAILABLE = 'unavailable'

/**
 * Replaces the marks in JSON with links, which contain the IDs of the request and
 * an expiry. Never rejects.
 */
export async function linkJson(
  json: string,
  ctx: RequestContext,
  reader: SetupReader,
  expiresSeconds: number,
  shown: ReadonlyArray<CachedSubject & Partial<ShownSubject>>,
): Promise<string> {
  const parts = splitMarks(json)
  if (parts.length === 1) return json
  const { c, env, app, params: ids, traceId } = ctx
  const test = readActionTest(c)
  const { setup, problems } = await reader.read(c, env, test)
  const issuedAtMs = readNow(test)
  const expiresAtSeconds = Math.floor(issuedAtMs / 1_000) + expiresSeconds
  const tooLong = new Set<string>()
  /** Creates a link with as many of the shown sections as fit; `undefined` if none fits. */
  const create = async ({ pageUrl, audience, keys }: Setup, mark: ActionMark) => {
    let kept = shown
    for (;;) {
      const content = { ...mark, ids, shown: kept, id: createId(), issuedAtMs, expiresAtSeconds }
      // oxlint-disable-next-line no-await-in-loop -- each link is shorter than the one before
      const link = `${pageUrl}?t=${await sealLink(content, audience, keys[0])}`
      const excess = link.length - MAX_LINK_LENGTH
      if (excess > 0 && kept.length === 0) return undefined
      if (excess > 0) {
        kept = kept.slice(0, -Math.ceil(excess / CHARACTERS_PER_SUBJECT))
        continue
      }
      const omitted = shown.slice(kept.length).map(({ title, cache }) => title ?? cache)
      if (omitted.length > 0) {
        const names = omitted.join(', ')
        tooLong.add(`A link to ${mark.name} is too long to reload these sections: ${names}.`)
      }
      return link
    }
  }
  const linked = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      const unavailable = `${setup?.pageUrl ?? ownUrl(c) + PAGE_PATH}?${UNAVAILABLE}`
      if (setup === undefined) return unavailable
      const mark = parseMark(part)
      const link = await create(setup, mark)
      if (link !== undefined) return link
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
