import type { Evidence } from './evidence.ts'
import type { Probe } from '../probe.ts'

/** The response times of one type of request, in whole milliseconds. */
export interface Timing {
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/**
 * Summarizes the times of handshakes and data fetches. If there are repeated
 * ones, only those count.
 */
export function summarizeTimes(evidence: Evidence) {
  const handshakes = evidence.of('repeatedHandshake')
  const data = evidence.of('repeatedData')
  return {
    handshake: toTiming(handshakes.length > 0 ? handshakes : evidence.of('handshake')),
    data: toTiming(data.length > 0 ? data : evidence.of('sample', 'known', 'fake')),
  }
}

function toTiming(probes: readonly Probe[]): Timing {
  const times = probes
    .filter(({ exchange }) => exchange.failure === undefined)
    .map(({ exchange }) => Math.round(exchange.durationMs))
    .sort((left, right) => left - right)
  // Nearest rank: the result is always a measured time, not an interpolated one.
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0
  return {
    count: times.length,
    p50Ms: rank(0.5),
    p95Ms: rank(0.95),
    p99Ms: rank(0.99),
    maxMs: times.at(-1) ?? 0,
  }
}
