import { assumed, inGroup } from '../../service/response-rule.ts'
import { summarizeTimes } from '../probes/timing.ts'
import { responseTimeRules } from './responses.ts'
import { type CheckRule, notApplicable, PASSED, skipped, violation } from './rule.ts'

/** The duration of a slow response: half of Sidecard's own timeout (A7). */
const SLOW_MS = 2_500

/** The rules about latency, in the order of reports. */
export const latencyRules = inGroup<CheckRule>('latency', [
  ...responseTimeRules,
  {
    id: 'latency-slow',
    title: 'Responses take less than 2.5 seconds',
    ...assumed('data-fetch', 'How long the service waits for data is not specified.', 'A7'),
    fix: 'Call your backends in parallel, and set a timeout on each call.',
    why: 'The agent is waiting, often with the customer on the line. The service may not wait that long.',
    evaluate(evidence) {
      const completed = evidence.with('timed').filter(({ exchange }) => !exchange.failure)
      const [slowest] = completed.toSorted(
        (left, right) => right.exchange.durationMs - left.exchange.durationMs,
      )
      if (slowest === undefined) return skipped('no complete response was received')
      const { durationMs } = slowest.exchange
      if (durationMs < SLOW_MS) return PASSED
      return violation({ message: `${slowest.name} took ${Math.round(durationMs)} ms` })
    },
  },
  {
    id: 'latency-budget',
    failsRun: true,
    title: '95 % of the responses are within the budget',
    ...assumed('data-fetch', 'How long the service waits is not specified.', 'A7'),
    fix: 'Call your backends in parallel, cache what changes rarely, and set a timeout on each call.',
    why: 'A budget in a pipeline reveals a slow change before agents notice it. Send enough requests: with only a few, the 95th percentile is the slowest request. Exceeding the budget fails the run.',
    evaluate(evidence) {
      const { maxP95Ms } = evidence.settings
      if (maxP95Ms === undefined) return notApplicable('no budget was set')
      const { handshake, data } = summarizeTimes(evidence)
      if (handshake.count + data.count === 0) return skipped('no complete response was received')
      const timings = Object.entries({ handshakes: handshake, 'data fetches': data })
      const slow = timings.filter(([, { p95Ms }]) => p95Ms > maxP95Ms)
      return {
        violations: slow.map(([name, { p95Ms, count }]) => ({
          message: `p95 of ${count} ${name} is ${p95Ms} ms, the budget is ${maxP95Ms} ms`,
        })),
      }
    },
  },
])
