import { describeFailure, readIssues } from '../endpoint-failures.ts'
import type { EndpointFailure } from '../endpoint-failures.ts'
import { toFinding } from './rule.ts'
import type { Finding, RuleInfo } from './rule.ts'

/** The rule about failures that the endpoint reports itself. @see docs/checks/README.md#data */
export const dataFailureRule: RuleInfo = {
  id: 'data-failure',
  group: 'data',
  level: 'MUST',
  title: 'The endpoint reports no failure',
  contract: {
    statement: 'The endpoint responds with the data of the widget.',
    anchor: 'data-fetch',
    basis: 'harm',
  },
  fix: 'Search the endpoint’s log for the trace ID.',
  why: 'A Sidecard app that cannot build its payload responds with a card that says so, and names the failure in `x-sidecard-failure`. The response conforms to the contract, but the agent does not see all data.',
}

/**
 * Creates the findings for the failures of one response. A section that shows
 * stale content is a warning.
 */
export function failureFindings(failures: readonly EndpointFailure[]): readonly Finding[] {
  return failures.map((failure) => {
    const { component, stale, error } = failure
    const [issue] = readIssues(error)
    const found = toFinding(dataFailureRule, {
      ...(component !== undefined && { path: `components[${component}]` }),
      message: describeFailure(failure),
      ...(issue !== undefined && { fix: `${issue.path}: ${issue.fix}` }),
    })
    return stale ? { ...found, level: 'SHOULD' } : found
  })
}
