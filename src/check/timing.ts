import type { Evidence } from './evidence.ts'
import type { Probe } from './probe.ts'

/** The response times of one type of request, in whole milliseconds. */
export interface Timing {
  readonly count: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** The number of responses that took at most `upToMs` and more than the previous bound. */
  readonly histogram: ReadonlyArray<{ readonly upToMs: number; readonly count: number }>
}

/** The bounds of the histogram. The last one is the maximum timeout. */
const BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 600_000]

/**
 * Summarizes the times of handshakes and data fetches. If there are repeated
 * ones, only those count.
 */
export function summarizeTimes(evidence: Evidence): {
  readonly handshake: Timing
  readonly data: Timing
} {
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
    histogram: toHistogram(times),
  }
}

function toHistogram(times: readonly number[]): Timing['histogram'] {
  const last = BOUNDS_MS.findIndex((bound) => (times.at(-1) ?? 0) <= bound)
  return BOUNDS_MS.slice(0, times.length === 0 ? 0 : last + 1).map((upToMs, index) => {
    const above = index === 0 ? -1 : (BOUNDS_MS[index - 1] ?? 0)
    return { upToMs, count: times.filter((time) => time > above && time <= upToMs).length }
  })
}
