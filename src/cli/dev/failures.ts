import type { ExchangeView, FailureView } from '../../emulator/protocol/exchanges.ts'

/** Cards that an app shows on purpose instead of customer data. */
const DESIGNED: readonly string[] = ['not_found', 'ambiguous', 'not_available']

/** Returns whether a data fetch failed. Stale content and designed cards are not failures. */
export function isFailed({ outcome, failures }: Pick<ExchangeView, 'outcome' | 'failures'>) {
  if (outcome === 'failed') return failures.some(({ stale }) => !stale) || failures.length === 0
  return outcome !== 'rendered' && !DESIGNED.includes(outcome)
}

/** Converts a failure to the form that programs read. */
export function toFailureReport({ kind, section, stale, traceId, error }: FailureView) {
  const { name = null, message = null, stack = null, location = null } = error ?? {}
  const { file = null, line = null, column = null } = location ?? {}
  return { kind, section, stale, traceId, name, message, file, line, column, stack }
}
