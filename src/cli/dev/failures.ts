import type { FailureView } from '../../emulator/protocol/exchanges.ts'
import { describeFailure } from '../../service/endpoint-failures.ts'

/** Cards that an app shows on purpose instead of customer data. */
const DESIGNED: readonly string[] = ['not_found', 'ambiguous', 'not_available']

/** Returns whether a data fetch failed. Stale content and designed cards are not failures. */
export function isFailed({
  outcome,
  failures,
}: {
  readonly outcome: string
  readonly failures: readonly FailureView[]
}): boolean {
  if (outcome === 'failed') return failures.some(({ stale }) => !stale) || failures.length === 0
  return outcome !== 'rendered' && !DESIGNED.includes(outcome)
}

/** Describes a failure in one line. */
export function describe({ kind, section, stale, traceId, error }: FailureView): string {
  return describeFailure({
    kind,
    stale,
    ...(section !== null && { section }),
    ...(traceId !== null && { traceId }),
    ...(error !== null && { error: { ...error, stack: error.stack ?? '' } }),
  })
}

/** Converts a failure for programs. */
export function toFailureReport({ kind, section, stale, traceId, error }: FailureView) {
  const { name = null, message = null, stack = null, location = null } = error ?? {}
  const { file = null, line = null, column = null } = location ?? {}
  return { kind, section, stale, traceId, name, message, file, line, column, stack }
}
