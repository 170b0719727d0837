import type { Evidence } from '../evidence.ts'
import type { DataProbe } from '../probe.ts'
import { notSent, PASSED, violation } from './rule.ts'
import type { CheckRule, RuleOutcome } from './rule.ts'

const absent: CheckRule = {
  id: 'parameters-absent',
  group: 'parameters',
  level: 'ASSUMED',
  assumption: 'A4',
  title: 'Data fetches without IDs return a payload',
  contract: {
    statement:
      'The table lists the parameters of a data fetch. Which of them are always present is not specified.',
    anchor: 'data-fetch',
    basis: 'unspecified',
  },
  fix: 'Treat every ID as optional, and return a payload that says what is missing.',
  why: 'An issue may have no account, and a requester may have no email address.',
  evaluate: (evidence) => evaluatePayload(evidence, 'absentIds'),
}

const empty: CheckRule = {
  id: 'parameters-empty',
  group: 'parameters',
  level: 'ASSUMED',
  assumption: 'A4',
  title: 'Data fetches with empty IDs return a payload',
  contract: {
    statement:
      'The table lists the parameters of a data fetch. Whether one may be empty is not specified.',
    anchor: 'data-fetch',
    basis: 'unspecified',
  },
  fix: 'Treat an empty ID as absent.',
  why: 'A lookup with an empty ID often matches everything: the first customer in the table, or all of them.',
  evaluate: (evidence) => evaluatePayload(evidence, 'emptyIds'),
}

const email: CheckRule = {
  id: 'parameters-email',
  group: 'parameters',
  level: 'MUST',
  title: 'Any valid email address returns a payload',
  contract: {
    statement: '`requester_email`: email of the requester.',
    anchor: 'data-fetch',
    basis: 'stated',
  },
  fix: "Parse the query once with your language's URL parser, and bind values as database parameters.",
  why: "Addresses can contain `+`, `'`, `%` and `&`. Decoding twice, or concatenating the value into a query, breaks on them.",
  evaluate: (evidence) => evaluatePayload(evidence, 'email', 'requires data for made-up customers'),
}

/** Reports only problems that the special parameters cause. */
function evaluatePayload(
  evidence: Evidence,
  role: 'absentIds' | 'emptyIds' | 'email',
  reason = 'requires an endpoint that conforms to the contract',
): RuleOutcome {
  const [probe] = evidence.of(role)
  if (probe === undefined) return notSent(evidence, reason)
  const found = findProblem(probe, evidence.of('sample'))
  return found === undefined ? PASSED : violation(found)
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
export const parameterRules: readonly CheckRule[] = [absent, empty, email]
