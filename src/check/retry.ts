import type { Probe } from './probe.ts'

/** Who was asked at the same time, and how many at most. */
export interface Crowd {
  readonly others: readonly Probe[]
  readonly width: number
  readonly timeoutMs: number
}

/**
 * Asks again, alone, when a probe ran out of time only because we asked so much
 * at once: a server that answers one request after the other is slow, not
 * wrong. A probe that no crowd can excuse is returned as it is.
 */
export async function confirmed<Kind extends Probe>(
  probe: Kind,
  crowd: Crowd,
  again: () => Promise<Kind>,
): Promise<Kind> {
  if (probe.exchange.failure?.kind !== 'timeout') return probe
  const answered = crowd.others.filter(({ exchange }) => exchange.failure === undefined)
  const fastest = Math.min(...answered.map(({ exchange }) => exchange.durationMs))
  // Without an answer there is no fastest: Infinity would excuse everything.
  if (answered.length === 0 || fastest * crowd.width < crowd.timeoutMs) return probe
  return again()
}

/** No whole answer came. */
export function isSilent({ exchange }: Probe): boolean {
  return exchange.failure !== undefined
}

/** The connection broke, as it does when the process behind it ends. */
export function brokeConnection({ exchange }: Probe): boolean {
  return exchange.failure?.kind === 'reset' || exchange.failure?.kind === 'unreachable'
}
