import { answerTimeRules } from './answers.ts'
import { fault, KEPT, skipped } from './rule.ts'
import type { CheckRule } from './rule.ts'

/** Half of the time that Sidecard itself gives an answer (A7). */
const SLOW_MS = 2_500

const slow: CheckRule = {
  id: 'latency-slow',
  group: 'latency',
  level: 'ASSUMED',
  assumption: 'A7',
  title: 'An answer takes less than two and a half seconds',
  contract: {
    says: 'Data is fetched when the app is loaded for an issue. How long the service waits is not shown.',
    anchor: 'data-fetch',
    basis: 'silence',
  },
  fix: 'Ask your backends at the same time instead of one after the other, and give each a deadline.',
  why: 'An agent waits for the widget with the customer on the line, and the service may not wait as long.',
  judge(evidence) {
    const answered = [...evidence.handshakes, ...evidence.samples, ...evidence.customers].filter(
      ({ exchange }) => exchange.failure === undefined,
    )
    if (answered.length === 0) return skipped('no whole answer came')
    const slowest = answered.reduce((left, right) =>
      right.exchange.durationMs > left.exchange.durationMs ? right : left,
    )
    const { durationMs } = slowest.exchange
    if (durationMs < SLOW_MS) return KEPT
    return fault({ message: `${slowest.name} took ${Math.round(durationMs)} ms` })
  },
}

/** Every rule of latency, in the order of the reports. */
export const latencyRules: readonly CheckRule[] = [...answerTimeRules, slow]
