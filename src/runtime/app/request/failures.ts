import { card } from '../../builders/components/card.ts'
import { InvalidComponentError } from '../../builders/components/invalid-component-error.ts'
import { text } from '../../builders/components/text.ts'
import type { Card } from '../../contract/generated/types.ts'
import {
  FAILURE_COLLECTOR,
  type Failure,
  type FailureCollector,
} from '../../internal/failure-detail.ts'
import { SidecardError } from '../../internal/errors.ts'
import type { FailureKind } from '../../internal/failure-header.ts'
import { isInstance, readProperty } from '../../internal/hostile-values.ts'
import { callUserCode, consumeRejections, isTimeout } from '../../internal/user-code.ts'
import { DesignedCardError, type DesignedOutcome } from '../designed-card.ts'
import { IdentityError, PayloadError } from '../errors.ts'
import { encodeOwnCard, type EncodeOptions, encodePiece, type Piece } from './encode.ts'
import { flatten } from './flatten.ts'
import { withMessages } from '../messages.ts'
import type { FailureInfo } from '../options.ts'
import type { RequestContext } from './request-context.ts'

/** A failure without a position in the payload yet. */
export type NewFailure = Omit<Failure, 'traceId' | 'component'>

/** A part of the payload: consecutive components, a section, or a promised component. */
export interface Part {
  readonly piece: Piece
  /** The title of a section. */
  readonly title?: string | undefined
  /** Makes the parts of a payload fit into the limits. Set if the part is a section. */
  readonly fit?: (parts: readonly Part[], head: string, ctx: RequestContext) => readonly Part[]
  /** Set if the part failed, even if stale content is shown. */
  readonly failure?: NewFailure
  /** Set if the part is a designed card. */
  readonly outcome?: DesignedOutcome
}

/** Classifies an error that ended `fetchData`. */
export function classifyFailure(error: unknown, isTimedOut: boolean): NewFailure {
  return describeFailure(error, isTimedOut ? 'timeout' : classifyError(error))
}

/** Classifies an error that ended a section or a promised component. */
export function classifySectionFailure(
  error: unknown,
  section: string | undefined,
  stale = false,
): NewFailure {
  const failure = describeFailure(error, isTimeout(error) ? 'section_timeout' : 'section_failed')
  return { ...failure, stale, ...(section !== undefined && { section }) }
}

function describeFailure(error: unknown, kind: FailureKind): NewFailure {
  if (!isInstance(error, IdentityError)) return { kind, stale: false, error }
  // Developers need the lookup's own error, not the wrapper.
  return { kind: 'identity_failed', stale: false, error: error.cause }
}

function classifyError(error: unknown): FailureKind {
  if (isInstance(error, PayloadError)) return error.code
  return isInstance(error, InvalidComponentError) ? 'invalid_payload' : 'callback_failed'
}

/**
 * Calls `onError`, and encodes the components that agents see instead: those that
 * it returned, those of the option `failed` of `identify()`, or the failure card.
 */
export function showFailure(failure: NewFailure, thrown: unknown, ctx: RequestContext): Piece {
  const { app } = ctx
  return (
    callOnError(failure, ctx) ??
    callUserCode(
      () => isInstance(thrown, IdentityError) && thrown.children,
      (children) => encodeReplacement(children, app),
    ) ??
    encodeOwnCard(createFailureCard(failure, ctx), app)
  )
}

/** Calls `onError`, and encodes the components that it returned. Errors that it throws are ignored. */
export function callOnError(
  { kind, section, error }: { kind: FailureInfo['kind']; section?: string; error: unknown },
  ctx: RequestContext,
): Piece | undefined {
  // The caller has disconnected, so the aborted call is not a failure.
  if (ctx.isAbandoned) return undefined
  const { options } = ctx.app
  const info = { kind, section } as FailureInfo
  return callUserCode(
    () => options.onError?.(error, ctx as never, info),
    (children) => encodeReplacement(children, ctx.app),
  )
}

function encodeReplacement(children: unknown, options: EncodeOptions): Piece | undefined {
  if (Array.isArray(children)) return encodePiece(flatten(children), options)
  consumeRejections(children)
  return undefined
}

/** Passes the failures of a data fetch to the collector of a test. */
export function collectFailures(failures: readonly Failure[], env: unknown): void {
  const collect = readProperty(env, FAILURE_COLLECTOR)
  if (typeof collect !== 'function') return
  for (const failure of failures) (collect as FailureCollector)(failure)
}

/** The codes of errors that occur again with the same data. */
const DATA_ERRORS: readonly unknown[] = [
  'invalid_component',
  'invalid_options',
  'invalid_payload',
  'payload_too_large',
]

function isDataError(error: unknown): boolean {
  return isInstance(error, SidecardError) && DATA_ERRORS.includes(readProperty(error, 'code'))
}

/** Creates the card that agents see instead of content that failed. */
export function createFailureCard(
  { kind, section: title, error }: Omit<NewFailure, 'stale'>,
  ctx: RequestContext,
): Card {
  return withMessages(ctx.app.messages, (messages) => {
    const { unavailable, failed, invalid, timedOut, traceId: label } = messages
    const reason = isDataError(error) ? invalid : failed
    return card({
      ...(title !== undefined && { header: { title } }),
      components: [
        text({ label: unavailable, value: kind.endsWith('timeout') ? timedOut : reason }),
        text({ label, value: ctx.traceId }),
      ],
    })
  })
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

/** Encodes a designed card. Returns any other error unchanged, and an invalid card as an error. */
export function showDesignedCard(
  error: unknown,
  ctx: RequestContext,
  section?: string,
): { readonly piece: Piece; readonly outcome: DesignedOutcome } | { readonly error: unknown } {
  if (!isInstance(error, DesignedCardError)) return { error }
  const { app } = ctx
  try {
    const { card: designed, outcome } = DesignedCardError.show(error, app.messages, section)
    return { piece: encodeOwnCard(designed, app), outcome }
  } catch (invalid) {
    return { error: invalid }
  }
}
