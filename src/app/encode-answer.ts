import type { Env } from 'hono'
import type { Card, Component } from '../contract/payload.ts'
import { encodeComponents, encodePayload } from '../contract/walk.ts'
import { AnswerError, invalidPayload } from './faults.ts'
import type { ResolvedOptions } from './options.ts'

/** The JSON of a payload, and how many components it has. */
export interface EncodedAnswer {
  readonly json: string
  readonly componentCount: number
}

/**
 * Checks and writes the whole payload in one pass, within the limits A8.
 *
 * @param whole what `fetchData` returned as a payload; the app's own header without it
 * @throws {AnswerError} `invalid_payload` or `payload_too_large`
 */
export function encodeAnswer<E extends Env>(
  whole: object | undefined,
  components: readonly Component[],
  app: ResolvedOptions<E>,
): EncodedAnswer {
  const encoded =
    whole === undefined
      ? encodeComponents(app.head, components, app)
      : encodePayload({ ...whole, components }, app)
  if (!encoded.ok) {
    const tooMany = encoded.issues.some(({ code }) => code === 'too_many_components')
    throw tooMany
      ? tooLarge(`${app.maxComponents} components`, 'limits.maxComponents')
      : invalidPayload(encoded.issues)
  }
  if (isLongerThan(encoded.json, app.maxBodyBytes)) {
    throw tooLarge(`${app.maxBodyBytes} bytes`, 'limits.maxBodyBytes')
  }
  return encoded
}

/** Writes a card of our own, which no limit may keep from the agent. */
export function encodeStandardCard<E extends Env>(
  standard: Card,
  { head, uriSchemes }: ResolvedOptions<E>,
): EncodedAnswer {
  const encoded = encodeComponents(head, [standard], { uriSchemes })
  return encoded.ok ? encoded : { json: `${head}]}`, componentCount: 0 }
}

function tooLarge(limit: string, option: string): AnswerError {
  return new AnswerError('payload_too_large', `The payload has more than ${limit} (${option}).`)
}

/** A UTF-16 unit is one to three bytes of UTF-8, so most answers need no count. */
function isLongerThan(json: string, maxBytes: number): boolean {
  if (json.length > maxBytes) return true
  if (json.length * 3 <= maxBytes) return false
  return new TextEncoder().encode(json).length > maxBytes
}
