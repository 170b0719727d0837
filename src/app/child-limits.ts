import type { DesignedOutcome } from './designed-card.ts'
import { byteLength, encodeOwnCard, type Piece, tooManyBytes, tooManyComponents } from './encode.ts'
import { createFailureCard } from './failures.ts'
import type { ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'
import { replaceChild, type Settled } from './settle-child.ts'

/** The children of `fetchData`, in their order, as pieces of JSON. */
export interface SettledChildren {
  readonly pieces: readonly Piece[]
  /** The titles of the sections that were shown. */
  readonly sections: readonly string[]
  /** Set if the agent sees only designed cards. */
  readonly outcome: DesignedOutcome | undefined
  /** Whether the agent sees a designed card, even if only in a section. */
  readonly hasDesignedCard: boolean
}

/**
 * Replaces the sections that do not fit, in order. Components outside of
 * sections count first. Space for the failure cards of later sections is
 * reserved.
 *
 * @throws {PayloadError} `payload_too_large` if not even the failure cards fit
 */
export function enforceLimits<T>(
  parts: readonly Settled[],
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): SettledChildren {
  const fitted = fitParts(parts, ctx, app)
  let index = 0
  for (const { piece, failure } of fitted) {
    if (failure !== undefined && piece.length > 0) failure.component = index
    index += piece.length
  }
  ctx.failures.sort((a, b) => (a.component ?? -1) - (b.component ?? -1))
  const shown = fitted.filter(({ piece }) => piece.length > 0)
  return {
    pieces: fitted.map(({ piece }) => piece),
    sections: fitted.flatMap(({ title, failure }) =>
      title !== undefined && (failure === undefined || failure.stale) ? [title] : [],
    ),
    outcome: shown.every(({ outcome }) => outcome !== undefined) ? shown[0]?.outcome : undefined,
    hasDesignedCard: shown.some(({ outcome }) => outcome !== undefined),
  }
}

function fitParts<T>(
  parts: readonly Settled[],
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): readonly Settled[] {
  const { maxComponents, maxBodyBytes } = app
  let componentCount = 0
  // The end of the payload, without the comma that the first piece does not have.
  let bytes = byteLength(app.head) + 1
  for (const { piece } of parts) count(piece, 1)
  if (findExcess() === undefined) return parts
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
        ? replaceChild(error, title, ctx, app)
        : { title, failure: Object.assign(failure, { stale: false }), piece: card }
    swap(piece, replaced.piece)
    return replaced
  })

  function count({ componentCount: own, json }: Piece, sign: 1 | -1): void {
    componentCount += sign * own
    if (json !== '') bytes += sign * (byteLength(json) + 1)
  }

  function swap(before: Piece, after: Piece): void {
    if (before === after) return
    count(before, -1)
    count(after, 1)
  }

  function findExcess(): Error | undefined {
    if (componentCount > maxComponents) return tooManyComponents(maxComponents)
    return bytes > maxBodyBytes ? tooManyBytes(maxBodyBytes) : undefined
  }

  function chooseSmaller({ piece, title, failure }: Settled): Piece {
    if (title === undefined) return piece
    const card = encodeOwnCard(
      createFailureCard(failure?.kind ?? 'section_failed', title, ctx.traceId, app.messages),
      app.uriSchemes,
    )
    const isLarger =
      piece.json.length > card.json.length || piece.componentCount > card.componentCount
    return isLarger ? card : piece
  }
}
