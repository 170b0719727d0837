import {
  byteLength,
  encodeOwnCard,
  type Piece,
  tooManyBytes,
  tooManyComponents,
} from '../request/encode.ts'
import { createFailureCard, type Part, replaceChild } from '../request/failures.ts'
import type { RequestContext } from '../request/request-context.ts'

/**
 * Replaces the sections that exceed the limits, in order. Components outside of
 * sections take precedence. Space for the failure cards of later sections is
 * reserved.
 *
 * @throws {PayloadError} `payload_too_large` if not even the failure cards fit
 */
export function enforceLimits(
  parts: readonly Part[],
  head: string,
  ctx: RequestContext,
): readonly Part[] {
  const { maxComponents, maxBodyBytes } = ctx.app
  let componentCount = 0
  // The end of the payload adds two bytes, and the first piece saves the one of its comma.
  let bytes = byteLength(head) + 1
  for (const { piece } of parts) count(piece, 1)
  const hasTooMany = componentCount > maxComponents
  const isTooLong = bytes > maxBodyBytes
  if (!hasTooMany && !isTooLong) return parts
  const smallest = parts.map((part) => {
    const card = chooseSmaller(part)
    swap(part.piece, card)
    return card
  })
  const excess = findExcess()
  if (excess !== undefined) throw excess
  return parts.map((part, index) => {
    const { piece, title, failure } = part
    const card = smallest[index]!
    swap(card, piece)
    const error = findExcess()
    if (error === undefined) return part
    const replaced =
      failure === undefined
        ? replaceChild(error, title, ctx)
        : { title, failure: { ...failure, stale: false }, piece: card }
    swap(piece, replaced.piece)
    return replaced
  })

  function count({ componentCount: own, json }: Piece, sign: 1 | -1): void {
    componentCount += sign * own
    if (json !== '') bytes += sign * (byteLength(json) + 1)
  }

  function swap(before: Piece, after: Piece): void {
    count(before, -1)
    count(after, 1)
  }

  function findExcess(): Error | undefined {
    if (componentCount > maxComponents) return tooManyComponents(maxComponents)
    return bytes > maxBodyBytes ? tooManyBytes(maxBodyBytes) : undefined
  }

  function chooseSmaller({ piece, title, failure }: Part): Piece {
    if (title === undefined) return piece
    const error = failure?.error ?? findExcess()
    const shown = { kind: failure?.kind ?? 'section_failed', section: title, error } as const
    const card = encodeOwnCard(createFailureCard(shown, ctx), ctx.app)
    // A card can have fewer components and more bytes, so only an exceeded limit counts.
    const isLarger =
      (isTooLong && piece.json.length > card.json.length) ||
      (hasTooMany && piece.componentCount > card.componentCount)
    return isLarger ? card : piece
  }
}
