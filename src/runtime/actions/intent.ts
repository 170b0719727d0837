import { runUserCode } from '../internal/user-code.ts'
import { toCanonicalText } from './canonical-text.ts'
import type { Receipt } from './receipts.ts'
import { digest } from './token.ts'
import type { Intent, Visit } from './visit.ts'

/**
 * Returns the intent of a visit: a digest of the app, the action, the
 * organization, and the input or the return value of `once`. It contains no
 * secret, so that receipts are still found after a rotation. The ID of a link's
 * receipt does not depend on the input, because a new version of the schema may
 * return a different input, and the link must still run only once.
 *
 * @throws {TypeError} if `once` does not return a string
 */
export async function identifyIntent(visit: VisitPart): Promise<Intent> {
  const { app, definition, input, link, deadline } = visit
  const { options, name } = definition
  const about = [app.name, name, link.ids.organization_id ?? null]
  if (options.once === undefined) {
    const intent = await digest(...about, 'input', identifyInput(input, link.input))
    return { intent, id: `link.${await digest(link.id)}` }
  }
  const once: unknown = await runUserCode(() => options.once?.(input, link.ids), deadline)
  if (typeof once !== 'string' || once === '') {
    throw new TypeError('The option once of an action must return a non-empty string.')
  }
  const intent = await digest(...about, 'once', once)
  return { intent, id: `${intent}.once` }
}

/**
 * Identifies an input as the schema returns it, so that a default equals the same
 * value in a link. An input that only the schema can compare counts as it was sent.
 */
function identifyInput(input: unknown, json: string): string {
  try {
    return toCanonicalText(input)
  } catch {
    return toCanonicalText(JSON.parse(json))
  }
}

type VisitPart = Pick<Visit, 'app' | 'definition' | 'input' | 'link' | 'deadline'>

/** Returns the digest of an intent and the values of its form. */
export function identifyWork(intent: string, values: object): Promise<string> {
  return digest(intent, toCanonicalText(values))
}

const WEEK_MS = 604_800_000

/**
 * Returns the key that belongs to an intent and its values until they are done.
 * Concurrent confirmations have the same key. After the receipts have been
 * deleted, there is a new key.
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
