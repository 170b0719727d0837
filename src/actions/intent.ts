import { runUserCode } from '../internal/user-code.ts'
import type { Receipt } from './receipts.ts'
import { digest } from './token.ts'
import type { Intent, Visit } from './visit.ts'

/**
 * Identifies what a visit is about: the app, the action, the organization, and the input or what
 * `once` returns. No secret is a part of it, so that a rotation never hides what was done.
 *
 * @throws {TypeError} if `once` returns something else than a text
 */
export async function identifyIntent(visit: VisitPart): Promise<Intent> {
  const { app, definition, input, link, deadline } = visit
  const { options, name } = definition
  const about = [app.name, name, link.ids.organization_id ?? null]
  if (options.once === undefined) {
    const intent = await digest(...about, 'input', link.input)
    return { intent, id: `${intent}.${await digest(link.id)}` }
  }
  const once: unknown = await runUserCode(() => options.once?.(input, link.ids), deadline)
  if (typeof once !== 'string' || once === '') {
    throw new TypeError('The option once of an action must return a non-empty string.')
  }
  const intent = await digest(...about, 'once', once)
  return { intent, id: `${intent}.once` }
}

type VisitPart = Pick<Visit, 'app' | 'definition' | 'input' | 'link' | 'deadline'>

/** Returns the digest of an intent and the values of its form. */
export function identifyWork(intent: string, values: object): Promise<string> {
  return digest(intent, JSON.stringify(values))
}

const WEEK_MS = 604_800_000

/**
 * Returns the key that belongs to an intent and its values until it is done. Two confirmations
 * at the same time have the same key. After the receipts have been deleted, the key is new.
 */
export async function chooseIdempotencyKey(
  work: string,
  recent: readonly Receipt[],
  nowMs: number,
): Promise<string> {
  const same = recent.filter((receipt) => receipt.work === work)
  const done = same.filter(({ state }) => state === 'done')
  const used = new Set(done.map(({ idempotencyKey }) => idempotencyKey))
  const pending = same.find(({ idempotencyKey }) => !used.has(idempotencyKey))
  if (pending !== undefined) return pending.idempotencyKey
  return digest(work, done[0]?.owner ?? String(Math.floor(nowMs / WEEK_MS)))
}
