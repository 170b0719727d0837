import { runUserCode } from '../../internal/user-code.ts'
import { toCanonicalText } from './canonical-text.ts'
import { digest } from '../links/token.ts'
import type { ActionKey, Visit } from './visit.ts'

/**
 * Returns a digest of the app, the action, the organization, and the input or the
 * return value of `uniqueKey`. It contains no secret, so that receipts are still found
 * after a rotation.
 *
 * @throws {TypeError} if `uniqueKey` does not return a string
 */
export async function identifyAction(visit: VisitPart): Promise<ActionKey> {
  const { app, definition, link, deadline } = visit
  const { options, name } = definition
  const about = [app.name, name, link.ids.organization_id ?? null]
  const linkId = await digest(link.id)
  if (options.uniqueKey === undefined) {
    return { actionKey: await digest(...about, 'input', identifyInput(visit)), linkId }
  }
  const uniqueKey: unknown = await runUserCode(
    () => options.uniqueKey?.(visit.input, link.ids),
    deadline,
  )
  if (typeof uniqueKey !== 'string' || uniqueKey === '') {
    throw new TypeError('The option uniqueKey of an action must return a non-empty string.')
  }
  return { actionKey: await digest(...about, 'once', uniqueKey), linkId }
}

/**
 * Identifies an input as the schema returns it, so that a default equals the same
 * value in a link. An input that only the schema can compare counts as it was sent.
 */
function identifyInput({ input, link }: Pick<Visit, 'input' | 'link'>): string {
  try {
    return toCanonicalText(input)
  } catch {
    return toCanonicalText(JSON.parse(link.input))
  }
}

type VisitPart = Pick<Visit, 'app' | 'definition' | 'input' | 'link' | 'deadline'>

/** Returns the key by which other systems recognize the same action, input and values. */
export function createIdempotencyKey(visit: Visit, values: object, seed: string): Promise<string> {
  return digest(visit.actionKey, identifyInput(visit), toCanonicalText(values), seed)
}
