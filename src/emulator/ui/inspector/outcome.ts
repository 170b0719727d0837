import type { ExchangeSummary } from '../../protocol.ts'

/** An outcome in words: `unknown_component` → `Unknown component`. */
export function outcomeWords(outcome: ExchangeSummary['outcome']): string {
  const words = outcome.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether an exchange went as the contract says. */
export function isGood({ outcome }: Pick<ExchangeSummary, 'outcome'>): boolean {
  return outcome === 'connected' || outcome === 'rendered'
}
