import { isInstance } from '../internal/hostile-values.ts'
import { DesignedCardError, type DesignedOutcome } from './designed-card.ts'
import { encodeOwnCard, type Piece } from './encode.ts'
import { classifySectionFailure, type NewFailure, showFailure } from './failures.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Replaces the sections that do not fit into a payload with this head.
 *
 * @throws {PayloadError} `payload_too_large` if not even the failure cards fit
 */
export type FitParts = (
  parts: readonly Part[],
  head: string,
  ctx: RequestContext,
) => readonly Part[]

/** A part of the payload: consecutive components, a section, or a promised component. */
export interface Part {
  readonly piece: Piece
  /** The title of a section. */
  readonly title?: string | undefined
  /** Set if the part is a section: makes the parts of a payload fit into the limits. */
  readonly fit?: FitParts
  /** Set if the part, or the fresh content of a section, failed. */
  readonly failure?: NewFailure
  /** Set if the part is a designed card. */
  readonly outcome?: DesignedOutcome
}

/** Reports an error, and returns the part that replaces the child. */
export function replaceChild(
  thrown: unknown,
  title: string | undefined,
  ctx: RequestContext,
): Part {
  const designed = showDesignedCard(thrown, ctx, title)
  if ('piece' in designed) return { ...designed, title }
  const { error } = designed
  const failure = classifySectionFailure(error, title)
  return { title, failure, piece: showFailure(failure, error, ctx) }
}

/** Encodes a designed card. Returns another error, or what is wrong with the card, as an error. */
export function showDesignedCard(
  error: unknown,
  ctx: RequestContext,
  section?: string,
): { readonly piece: Piece; readonly outcome: DesignedOutcome } | { readonly error: unknown } {
  if (!isInstance(error, DesignedCardError)) return { error }
  const { app } = ctx
  ctx.isDesigned = true
  try {
    const { card, outcome } = DesignedCardError.show(error, app.messages, section)
    return { piece: encodeOwnCard(card, app), outcome }
  } catch (invalid) {
    return { error: invalid }
  }
}
