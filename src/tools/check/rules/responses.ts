import { assumed, inGroup, must } from '../../service/response-rule.ts'
import { type ResponseRule, transportRules } from '../../service/response-rules/transport.ts'
import type { Evidence } from '../probes/evidence.ts'
import { classifyDataFetches, classifyHandshakes } from '../probes/probe-series.ts'
import type { ProbeSeries } from '../probes/probe-series.ts'
import { type AnyProbe, isRead } from '../responses/roles.ts'
import { groupViolations, joinNames, notApplicable, PASSED, skipped, violation } from './rule.ts'
import type { CheckRule, CheckViolation } from './rule.ts'

/** Converts a rule about one handshake response to a rule about all handshakes of a check. */
export const handshakeRule = seriesRule(classifyHandshakes, 'no handshake reached this check')

/** Converts a rule about one data response to a rule about all samples of a check. */
export const dataRule = seriesRule(classifyDataFetches, 'no data fetch reached this check')

function seriesRule(classify: (evidence: Evidence) => ProbeSeries<AnyProbe>, reason: string) {
  return (rule: ResponseRule<string>): CheckRule => ({
    ...rule,
    evaluate(evidence) {
      const series = classify(evidence)
      const violations = findViolations(rule, series, '')
      if (violations.length > 0) return { violations }
      const { passed, failed, flaky } = series
      const isMissing = passed.length + failed.length + flaky.length === 0
      return isMissing || (failed.length > 0 && !failed.some(isRead)) ? skipped(reason) : PASSED
    },
  })
}

function transportRule(rule: ResponseRule<string>): CheckRule {
  return {
    ...rule,
    evaluate(evidence) {
      const violations = [
        ...findViolations(rule, classifyHandshakes(evidence), 'handshake: '),
        ...findViolations(rule, classifyDataFetches(evidence), 'data fetch: '),
      ]
      if (violations.length > 0) return { violations }
      const hasResponse = evidence
        .of('handshake', 'sample')
        .some(({ exchange }) => !exchange.failure)
      return hasResponse ? PASSED : skipped('no response was received')
    },
  }
}

const transportCheckRules = transportRules.map(transportRule)

/** The rules about problems that prevent a response from being validated. */
export const reachabilityRules = inGroup<CheckRule>('reachability', [
  ...transportCheckRules.filter(({ group }) => group === 'reachability'),
  {
    id: 'response-reused-connection',
    title: 'Requests on a reused connection get a response',
    ...must('requests', 'The endpoint responds to each `GET` request to its URL.'),
    fix: 'Read every request to its end, send exact lengths, and reset the state of the connection after each response. Send Connection: close if the server cannot do that.',
    why: 'HTTP clients keep connections open and send the next request on the same one (RFC 9112, section 9.3). A wrong Content-Length, or state that is tied to the connection, breaks only the second request. Clients read bytes after a response as the next one.',
    evaluate(evidence) {
      const [first, second] = evidence.of('reuse')
      if (first === undefined) {
        return notApplicable('requires a transport that keeps connections open')
      }
      if (!first.readable) return skipped('no handshake succeeded on a new connection')
      const all = evidence.of('reuse', 'connected')
      if (all.some(({ hasExtraBytes }) => hasExtraBytes)) {
        return violation({
          message: 'the endpoint sent more bytes after a complete response',
          fix: 'Send one response to each request. Let the server compute Content-Length in bytes.',
        })
      }
      if (second === undefined) return skipped('no second request was sent on the connection')
      const problem = second.problems.at(-1)
      if (problem === undefined || second.readable) return PASSED
      return violation({
        message: `the second request on one connection failed: ${problem.message}`,
      })
    },
  },
  {
    id: 'response-rate-limit',
    failsRun: true,
    title: 'The rate limit leaves room for the check',
    ...assumed('requests', 'Rate limits of an endpoint are not specified.'),
    fix: 'Allow more requests from this machine, or let the check wait longer.',
    why: 'The endpoint returned 429, or 503 with Retry-After. The check waits as long as Retry-After says, up to its own limit. Other rules ignore requests that are still rejected then, so the run does not pass.',
    evaluate({ rateLimited, waitedMs, of }) {
      const [first] = rateLimited
      if (first === undefined) {
        const hasResponse = of('handshake', 'sample').some(({ exchange }) => exchange.response)
        return hasResponse ? PASSED : skipped('no response was received')
      }
      const { response } = first.exchange
      const after = /^\d{1,9}$/.exec(response?.headers['retry-after'] ?? '')?.[0]
      const hint = after === undefined ? '' : ` and Retry-After: ${after}`
      return violation({
        message: `${joinNames(rateLimited.map(({ name }) => name))}: rejected with ${response?.status}${hint}, after waiting for ${Math.round(waitedMs / 1_000)} s`,
      })
    },
  },
])

/** The transport rule about the timeout. */
export const responseTimeRules = transportCheckRules.filter(({ group }) => group === 'latency')

function findViolations(
  rule: ResponseRule<string>,
  { failed }: ProbeSeries<AnyProbe>,
  prefix: string,
): readonly CheckViolation[] {
  // Responses that only differ in the quoted code are one violation.
  const violations = groupViolations<AnyProbe>(failed, ({ problems }) =>
    problems
      .filter(({ reason }) => rule.reasons.includes(reason))
      .map((problem) => ({ ...problem, message: prefix + problem.message })),
  )
  return violations.slice(0, 1)
}
