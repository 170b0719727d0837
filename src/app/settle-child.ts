import { isAbsent } from '../builders/children.ts'
import { isSection } from '../builders/section.ts'
import { consumeRejections, type Deadline } from '../internal/user-code.ts'
import { isInstance, isThenable } from '../internal/hostile-values.ts'
import { DesignedCardError, type DesignedOutcome } from './designed-card.ts'
import { encodeOwnCard, encodePiece, type Piece } from './encode.ts'
import { IdentityError } from './errors.ts'
import {
  classifySectionFailure,
  createFailureCard,
  type NewFailure,
  reportFailure,
} from './failures.ts'
import type { ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'
import { flatten, loadSection } from './section.ts'

/** A section or a promised component that has settled. */
export interface Settled {
  readonly piece: Piece
  readonly title: string | undefined
  readonly failure?: NewFailure
  readonly outcome?: DesignedOutcome
}

/** The content of a child that must be awaited. */
export interface Content {
  readonly components: readonly unknown[]
  /** Set if the components are the last good content of a section. */
  readonly error?: unknown
}

/** Returns how to await a section or a promise; `undefined` for any other child. */
export function findLoad<T>(
  child: unknown,
  ctx: RequestContext<T>,
  timeout: Deadline,
  app: ResolvedOptions<T>,
): (() => Promise<Content>) | undefined {
  if (isSection(child)) return () => timeout.race(loadSection(child, ctx, app))
  if (!isThenable(child)) return undefined
  return async () => ({ components: flatten(await timeout.race(child)) })
}

/** Awaits a section or a promise. If it fails, a failure card replaces it. */
export async function settleChild<T>(
  load: () => Promise<Content>,
  child: unknown,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<Settled> {
  const section = isSection(child) ? child : undefined
  const title = section?.title
  let content: Content | undefined
  try {
    content = await load()
    const { components, error } = content
    const isEmpty = components.every(isAbsent)
    const card = { type: 'card', header: { title, icon_url: section?.icon_url }, components }
    const piece = encodePiece(section === undefined || isEmpty ? [...components] : [card], app)
    if (error === undefined) return { piece, title }
    const failure = classifySectionFailure(error, title, true)
    reportFailure(failure, ctx, app)
    return { piece, title, failure }
  } catch (error) {
    consumeRejections(content?.components)
    if (isInstance(error, DesignedCardError)) {
      const shown = encodeDesignedCard(error, app, title)
      return 'piece' in shown ? { ...shown, title } : replaceChild(shown.error, title, ctx, app)
    }
    return replaceChild(error, title, ctx, app)
  }
}

/** Encodes a designed card. Components of the user that cannot be shown are a failure. */
export function encodeDesignedCard<T>(
  designed: DesignedCardError,
  { messages, uriSchemes }: ResolvedOptions<T>,
  section?: string,
): { readonly piece: Piece; readonly outcome: DesignedOutcome } | { readonly error: unknown } {
  try {
    const { card, outcome } = DesignedCardError.show(designed, messages, section)
    return { piece: encodeOwnCard(card, uriSchemes), outcome }
  } catch (error) {
    return { error }
  }
}

/** Reports a failure, and returns the components that replace the child. */
export function replaceChild<T>(
  error: unknown,
  title: string | undefined,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Settled {
  const failure = classifySectionFailure(error, title)
  const replacement =
    reportFailure(failure, ctx, app) ??
    (isInstance(error, IdentityError) ? error.children : undefined)
  const piece =
    encodeReplacement(replacement, app) ??
    encodeOwnCard(createFailureCard(failure.kind, title, ctx.traceId, app.messages), app.uriSchemes)
  return { piece, title, failure }
}

/** Encodes children that replace a failure card; `undefined` if they cannot be shown. */
export function encodeReplacement<T>(
  children: readonly unknown[] | undefined,
  app: ResolvedOptions<T>,
): Piece | undefined {
  if (children === undefined) return undefined
  try {
    return encodePiece(flatten(children), app)
  } catch {
    consumeRejections(children)
    return undefined
  }
}
