import type { Env } from 'hono'
import { type Child, isAbsent } from '../builders/children.ts'
import { InvalidComponentError } from '../builders/invalid-component-error.ts'
import type { Component } from '../contract/payload.ts'
import { isInstance } from '../internal/is-instance.ts'
import { isThenable } from '../internal/is-thenable.ts'
import type { ChildFault } from './children.ts'
import type { RequestContext } from './context.ts'
import { encodeAnswer, type EncodedAnswer, encodeStandardCard } from './encode-answer.ts'
import { AnswerError, faultCard, type FaultKind } from './faults.ts'
import { NotAvailableError } from './not-available.ts'
import type { ResolvedOptions } from './options.ts'

/**
 * `hit`: kept and fresh. `stale`: kept, and being replaced. `miss`: made now.
 * `refresh`: made behind a stale one.
 */
export type CacheStatus = 'hit' | 'stale' | 'miss' | 'refresh'

/** What came of one data fetch, before it is turned into a response and a log line. */
export interface Outcome extends EncodedAnswer {
  /** `ok`, `not_available`, or the kind of fault. */
  readonly kind: 'ok' | 'not_available' | FaultKind
  /** The id of the request; made only where something will carry it. */
  readonly traceId: string | undefined
  /** The error behind a fault of the whole answer. */
  readonly error?: unknown
  /** The children that could not be shown. */
  readonly childFaults: readonly ChildFault[]
  /** What the cache had to do with it; nothing where there is none. */
  readonly cache?: CacheStatus
  /** Until when a kept answer may be served, in milliseconds since 1970. */
  readonly servableUntilMs?: number
}

const NONE: readonly ChildFault[] = []

/** What is shown, logged and told when `fetchData` gave nothing that can be shown. */
export function failedOutcome<E extends Env>(
  error: unknown,
  isLate: boolean,
  ctx: RequestContext<E>,
  app: ResolvedOptions<E>,
): Outcome {
  if (isInstance(error, NotAvailableError)) {
    const shown = encodeStandardCard(error.toCard(), app)
    return { ...shown, kind: 'not_available', traceId: undefined, childFaults: NONE }
  }
  const { traceId } = ctx
  const replacement = tellOnError(error, ctx, app)
  const shown =
    (replacement && encodeReplacement(replacement, app)) ??
    encodeStandardCard(faultCard(undefined, isLate ? 'late' : 'failed', traceId), app)
  return { ...shown, kind: isLate ? 'timeout' : kindOf(error), traceId, error, childFaults: NONE }
}

function kindOf(error: unknown): FaultKind {
  if (isInstance(error, AnswerError)) return error.code
  return isInstance(error, InvalidComponentError) ? 'invalid_payload' : 'callback_failed'
}

/** Tells `onError`, whose own faults end here. */
export function tellOnError<E extends Env>(
  error: unknown,
  ctx: RequestContext<E>,
  app: ResolvedOptions<E>,
): readonly Child[] | undefined {
  try {
    const heard = app.onError?.(error, ctx)
    if (Array.isArray(heard)) return heard
    if (isThenable(heard)) void Promise.resolve(heard).catch(() => undefined)
  } catch {
    // The standard card is shown instead.
  }
  return undefined
}

/** Only what is there at once: there may be no time left to wait for more. */
function encodeReplacement<E extends Env>(
  children: readonly Child[],
  app: ResolvedOptions<E>,
): EncodedAnswer | undefined {
  try {
    const components = children.filter((child) => !isAbsent(child))
    return encodeAnswer(undefined, components as Component[], app)
  } catch {
    return undefined
  }
}
