import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { describeFailure, readIssues } from '../endpoint/endpoint-failures.ts'
import type { EndpointFailure } from '../endpoint/endpoint-failures.ts'
import { harm, toFinding } from '../response-rule.ts'
import type { Finding, RuleInfo } from '../response-rule.ts'

const SEARCH = 'Search the endpoint’s log for the trace ID.'

/** The rule about failures that the endpoint reports itself. @see docs/checks/data.md */
export const dataFailureRule: RuleInfo = {
  id: 'data-failure',
  group: 'data',
  title: 'The endpoint reports no failure',
  ...harm('data-fetch', 'The endpoint responds with the data of the widget.'),
  fix: `${SEARCH} On your own machine, start the endpoint with SIDECARD_DEV=1 to see the error here.`,
  why: 'A Sidecard app that cannot build its payload responds with a failure card, and names the failure in `x-sidecard-failure`. The response conforms to the contract, so a failure is a warning. The checker repeats the data fetch once, and if it fails again, the run is not proven. Apps send the error itself only in development, to a client on the same machine.',
}

/**
 * Creates the findings for the failures of one response. A section that shows
 * stale content is a warning.
 */
export function failureFindings(failures: readonly EndpointFailure[]): readonly Finding[] {
  return failures.map((failure) => {
    const { component, stale, error } = failure
    const [issue] = readIssues(error)
    const fix = issue === undefined ? SEARCH : escapeForDisplay(issue.fix, 300)
    const found = toFinding(dataFailureRule, {
      ...(component !== undefined && { path: `components[${component}]` }),
      message: describeFailure(failure),
      ...(error !== undefined && { fix }),
    })
    return stale ? { ...found, level: 'SHOULD' } : found
  })
}
