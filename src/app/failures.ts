import { card } from '../builders/card.ts'
import { InvalidComponentError } from '../builders/invalid-component-error.ts'
import { text } from '../builders/text.ts'
import type { Card } from '../contract/payload.ts'
import { consumeRejections } from '../internal/user-code.ts'
import {
  FAILURE_COLLECTOR,
  type Failure,
  type FailureCollector,
} from '../internal/failure-detail.ts'
import type { FailureKind } from '../internal/failure-header.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { IdentityError, PayloadError } from './errors.ts'
import { DEFAULT_MESSAGES, type Messages } from './messages.ts'
import type { FailureInfo, ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'

/** A failure whose replacement in the payload is not known yet. */
export type NewFailure = Omit<Failure, 'traceId' | 'component' | 'stale'> & {
  component?: number
  stale: boolean
}

/** Classifies an error that ended `fetchData`. */
export function classifyFailure(error: unknown, isTimeout: boolean): NewFailure {
  return {
    kind: isTimeout ? 'timeout' : classifyError(error),
    stale: false,
    error: unwrapError(error),
  }
}

/** Classifies an error that ended a section or a promised component. */
export function classifySectionFailure(
  error: unknown,
  section: string | undefined,
  stale = false,
): NewFailure {
  const isTimeout = isInstance(error, DOMException) && error.name === 'TimeoutError'
  const kind = isInstance(error, IdentityError)
    ? 'identity_failed'
    : isTimeout
      ? 'section_timeout'
      : 'section_failed'
  return { kind, stale, error: unwrapError(error), ...(section !== undefined && { section }) }
}

function classifyError(error: unknown): FailureKind {
  if (isInstance(error, PayloadError)) return error.code
  if (isInstance(error, IdentityError)) return 'identity_failed'
  return isInstance(error, InvalidComponentError) ? 'invalid_payload' : 'callback_failed'
}

/** Developers need the user's own error, not the wrapper. */
function unwrapError(error: unknown): unknown {
  return isInstance(error, IdentityError) ? error.cause : error
}

/**
 * Records a failure, passes it to the collector and to `onError`, and returns
 * the children that replace the failure card.
 */
export function reportFailure<T>(
  failure: NewFailure,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): readonly unknown[] | undefined {
  // The caller disconnected: an aborted call is not a failure, and the response is not seen.
  if (ctx.isAbandoned) return undefined
  const { kind, section, error } = Object.assign(failure, { traceId: ctx.traceId })
  const isOfSection = kind.startsWith('section') || section !== undefined
  // The failure of the response comes first.
  ctx.failures[isOfSection ? 'push' : 'unshift'](failure as Failure)
  return callOnError(error, { kind, section } as FailureInfo, ctx, app)
}

/** Calls `onError`; errors that it throws are ignored. */
export function callOnError<T>(
  error: unknown,
  info: FailureInfo,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): readonly unknown[] | undefined {
  try {
    const result: unknown = app.onError(error, ctx, info)
    if (Array.isArray(result)) return result
    consumeRejections(result)
  } catch {
    // The failure card is shown instead.
  }
  return undefined
}

/** Passes the failures of a data fetch to the collector of a test. */
export function collectFailures(failures: readonly Failure[], env: unknown): void {
  const collect = (env as { [FAILURE_COLLECTOR]?: FailureCollector } | undefined)?.[
    FAILURE_COLLECTOR
  ]
  if (typeof collect === 'function') for (const failure of failures) collect(failure)
}

/** Creates the card that agents see instead of content that failed. */
export function createFailureCard(
  kind: FailureKind,
  title: string | undefined,
  traceId: string,
  messages: Messages,
): Card {
  const create = ({ unavailable, failed, timedOut, traceId: label }: Messages): Card =>
    card({
      ...(title !== undefined && { header: { title } }),
      components: [
        text({ label: unavailable, value: kind.endsWith('timeout') ? timedOut : failed }),
        text({ label, value: traceId }),
      ],
    })
  try {
    return create(messages)
  } catch {
    return create(DEFAULT_MESSAGES)
  }
}
