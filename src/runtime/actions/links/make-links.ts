import type { RequestContext } from '../../app/request/request-context.ts'
import { readActionTest } from '../../internal/action-test.ts'
import type { CachedSubject, ShownSubject } from '../../internal/cache-types.ts'
import { type ButtonTarget, parseTarget, splitAtButtons } from './button-url.ts'
import { createId } from './crypto.ts'
import { sealLink } from './link.ts'
import { requestUrl, PAGE_PATH, readNow, type Setup, type SetupReader } from './setup.ts'

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
 * Replaces the URLs of buttons in JSON with links, which contain the IDs of the request and
 * an expiry. Never rejects.
 */
export async function linkJson(
  json: string,
  ctx: RequestContext,
  reader: SetupReader,
  expiresSeconds: number,
  shown: ReadonlyArray<CachedSubject & Partial<ShownSubject>>,
): Promise<string> {
  const parts = splitAtButtons(json)
  if (parts.length === 1) return json
  const { c, env, params: ids } = ctx
  const test = readActionTest(c)
  const { setup, problems } = await reader.read(c, env, test)
  const issuedAtMs = readNow(test)
  const expiresAtSeconds = Math.floor(issuedAtMs / 1_000) + expiresSeconds
  const tooLong = new Set<string>()
  /** Creates a link with as many of the shown sections as fit; `undefined` if none fits. */
  const create = async (
    of: Setup,
    target: ButtonTarget,
    kept = shown,
  ): Promise<string | undefined> => {
    const content = { ...target, ids, shown: kept, id: createId(), issuedAtMs, expiresAtSeconds }
    const token = await sealLink(content, of.audience, of.keys[0])
    const link = `${of.pageUrl}?t=${token}`
    const excess = link.length - MAX_LINK_LENGTH
    if (excess > 0 && kept.length === 0) return undefined
    if (excess > 0) {
      return create(of, target, kept.slice(0, -Math.ceil(excess / CHARACTERS_PER_SUBJECT)))
    }
    const omitted = shown.slice(kept.length).map(({ title, cache }) => title ?? cache)
    const names = omitted.join(', ')
    if (names !== '') {
      tooLong.add(`A link to ${target.name} is too long to reload these sections: ${names}.`)
    }
    return link
  }
  const linked = await Promise.all(
    parts.map(async (part, index) => {
      if (index % 2 === 0) return part
      const unavailable = `${setup?.pageUrl ?? requestUrl(c) + PAGE_PATH}?${UNAVAILABLE}`
      if (setup === undefined) return unavailable
      const target = parseTarget(part)
      const link = await create(setup, target)
      if (link !== undefined) return link
      tooLong.add(`The input of ${target.name} is too long for a link.`)
      return unavailable
    }),
  )
  const all = [...problems, ...tooLong]
  if (all.length > 0) ctx.log.error('sidecard actions', { problems: all })
  return linked.join('')
}
