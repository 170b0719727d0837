import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'

/** Cards that an app shows on purpose instead of customer data. */
const DESIGNED: readonly string[] = ['not_found', 'ambiguous', 'not_available']

/** Returns whether a data fetch failed. Stale content and designed cards are not failures. */
export function isFailed({ outcome, failures }: Pick<ExchangeView, 'outcome' | 'failures'>) {
  if (outcome === 'failed') return failures.some(({ stale }) => !stale) || failures.length === 0
  return outcome !== 'rendered' && !DESIGNED.includes(outcome)
}
