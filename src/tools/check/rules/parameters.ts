import { assumed, inGroup, must } from '../../service/response-rule.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { DataProbe } from '../probe.ts'
import { findFirst, skipped, violation } from './rule.ts'
import type { CheckRule, RuleOutcome } from './rule.ts'

/** Reports only problems that the special parameters cause. */
function evaluatePayload(
  evidence: Evidence,
  role: 'absentIds' | 'emptyIds' | 'email' | 'id',
  reason = 'requires an endpoint that conforms to the contract',
): RuleOutcome {
  const probes = evidence.of(role)
  const [first] = probes
  if (first === undefined) return skipped(reason)
  const find = (probe: DataProbe) => findProblem(probe, evidence.of('sample'))
  // The title of the rule names the one request of the other roles.
  const isNamed = role === 'email' || role === 'id'
  return violation(isNamed ? findFirst(probes, find) : find(first))
}

/** Returns the problem of a response that is valid with the usual parameters. */
export function findProblem(
  probe: DataProbe,
  usual: readonly DataProbe[],
): { readonly message: string; readonly path?: string } | undefined {
  const usualReasons = usual.flatMap(({ problems }) => problems.map(({ reason }) => reason))
  const problem = probe.problems.find(({ reason }) => !usualReasons.includes(reason))
  if (problem !== undefined) return { message: problem.message }
  const usualRules = usual.flatMap(({ findings }) => findings.map(({ rule }) => rule))
  const broken = probe.findings.find(
    ({ level, rule }) => level === 'MUST' && !usualRules.includes(rule),
  )
  if (broken === undefined) return undefined
  return {
    message: `the payload is invalid: ${broken.message}`,
    ...(broken.path !== undefined && { path: broken.path }),
  }
}

/** The rules about parameters, in the order of reports. */
export const parameterRules = inGroup<CheckRule>('parameters', [
  {
    id: 'parameters-absent',
    title: 'Data fetches without IDs return a payload',
    ...assumed(
      'data-fetch',
      'The table lists the parameters of a data fetch. Which of them are always present is not specified.',
      'A4',
    ),
    fix: 'Treat every ID as optional, and return a payload that says what is missing.',
    why: 'An issue may have no account, and a requester may have no email address.',
    evaluate: (evidence) => evaluatePayload(evidence, 'absentIds'),
  },
  {
    id: 'parameters-empty',
    title: 'Data fetches with empty IDs return a payload',
    ...assumed(
      'data-fetch',
      'The table lists the parameters of a data fetch. Whether one may be empty is not specified.',
      'A4',
    ),
    fix: 'Treat an empty ID as absent.',
    why: 'A lookup with an empty ID often matches everything: the first customer in the table, or all of them.',
    evaluate: (evidence) => evaluatePayload(evidence, 'emptyIds'),
  },
  {
    id: 'parameters-email',
    title: 'Any valid email address returns a payload',
    ...must('data-fetch', '`requester_email`: email of the requester.'),
    fix: "Parse the query once with your language's URL parser, and bind values as database parameters.",
    why: "Addresses can contain `+`, `'`, `%` and `&`. Decoding twice, or concatenating the value into a query, breaks on them.",
    evaluate: (evidence) =>
      evaluatePayload(evidence, 'email', 'no data was returned for another email address'),
  },
  {
    id: 'parameters-id',
    title: 'Any ID returns a payload',
    ...assumed(
      'data-fetch',
      'The parameters contain the IDs of the issue, its owner and the requester. The characters and the length of an ID are not specified.',
      'A4',
    ),
    fix: 'Treat an ID as an opaque string. Do not restrict its characters or its length.',
    why: 'IDs that an integration creates can be long or contain non-ASCII letters. The checker only changes IDs that were not passed, and only up to 250 characters.',
    evaluate: (evidence) => evaluatePayload(evidence, 'id', 'no data was returned for other IDs'),
  },
])
