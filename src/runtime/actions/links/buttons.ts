import type { RequestContext } from '../../app/request/request-context.ts'
import { readActionTest } from '../../internal/action-test.ts'
import type { CachedSubject, ShownSubject } from '../../internal/cache-types.ts'
import { createId } from './crypto.ts'
import { type LinkContent, sealLink } from './link.ts'
import { requestUrl, PAGE_PATH, readNow, type Setup, type SetupReader } from './setup.ts'

/**
 * Until a response is sent, the URL of a button names its action and input. Validation rejects
 * the scheme everywhere else, so data cannot contain such a URL. Caches store it, and never a link.
 */

/** The key of a button's action. As a symbol, it cannot occur in data. */
export const ACTION: unique symbol = Symbol.for('sidecard.action') as never

/** The action of a button, and its input as JSON. */
export type ButtonTarget = Pick<LinkContent, 'name' | 'input'>

/** The scheme of a button's URL until its link is created. */
export const ACTION_SCHEME = 'sidecard-action:'

/** Matches the URL of a button in JSON, where quotes inside a string are escaped. */
const BUTTON_URL = new RegExp(`(?<="url":")${ACTION_SCHEME}([^"]+)(?=")`)

/** Returns the URL of a button whose link is created later. */
export function createButtonUrl({ name, input }: ButtonTarget): string {
  return ACTION_SCHEME + encodeURIComponent(`[${JSON.stringify(name)},${input}]`)
}

/** Returns whether JSON contains a button of an action. */
export function hasButtons(json: string): boolean {
  return BUTTON_URL.test(json)
}

/** Parses the URL of a button, without its scheme. */
function parseTarget(part: string): ButtonTarget {
  const [name, input] = JSON.parse(decodeURIComponent(part)) as [string, unknown]
  return { name, input: JSON.stringify(input) }
}

/**
 * Parses JSON with buttons, and restores the actions of the buttons.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseButtons(json: string): unknown {
  if (!hasButtons(json)) return JSON.parse(json)
  return JSON.parse(json, function (this: object, key: string, value: unknown): unknown {
    if (key !== 'url' || typeof value !== 'string' || !value.startsWith(ACTION_SCHEME)) return value
    const target = parseTarget(value.slice(ACTION_SCHEME.length))
    Object.assign(this, { [ACTION]: target })
    return ACTION_SCHEME + target.name
  })
}

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
  // Every second part is a URL without its scheme, starting with the second.
  const parts = json.split(BUTTON_URL)
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
