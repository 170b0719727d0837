import { assumed } from '../../service/response-rule.ts'
import { readPayload } from '../../service/responses/reading.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { DataProbe, FutureProbe } from '../probe.ts'
import { findProblem } from './parameters.ts'
import { type CheckRule, skipped, violation } from './rule.ts'

const statement =
  'The table lists the parameters of a data fetch. Their order, further parameters, and requests without an issue or a requester are not specified.'

function futureRule(
  kind: FutureProbe['kind'],
  rule: Pick<CheckRule, 'title' | 'fix' | 'why'>,
): CheckRule {
  return {
    ...rule,
    id: `future-${kind}`,
    group: 'parameters',
    isAdvice: true,
    ...assumed('data-fetch', statement, 'A4'),
    evaluate(evidence) {
      const probe = evidence.of('future').find((each) => each.kind === kind)
      const hasData = evidence.of('sample').some(({ payload }) => payload !== undefined)
      if (probe === undefined || !hasData) return skipped('requires a valid data response')
      const found = findProblem(probe, evidence.of('sample')) ?? findChange(probe, evidence)
      return violation(found)
    },
  }
}

/**
 * Finds a response with another shape: with the same IDs, it means that the
 * endpoint interpreted the request differently.
 */
function findChange(probe: FutureProbe, { of }: Evidence) {
  const samples = of('sample')
  const regularKinds = samples.flatMap(({ failures }) => failures.map(({ kind }) => kind))
  const failed = probe.failures.find(({ stale, kind }) => !stale && !regularKinds.includes(kind))
  if (failed !== undefined) return { message: `the endpoint reports ${failed.kind}` }
  if (probe.kind !== 'extra-parameter' && probe.kind !== 'parameter-order') return undefined
  // The order of a list may change from response to response.
  const componentsOf = ({ payload }: DataProbe) =>
    readPayload(payload)
      .shape.replaceAll(/\[\d+\]/g, '')
      .split('\n')
      .toSorted()
      .join('\n')
  const isRegular = samples.map(componentsOf).includes(componentsOf(probe))
  return isRegular ? undefined : { message: 'the response has other components than a regular one' }
}

/** The rules about requests that the service may send in the future, in the order of reports. */
export const futureRules: readonly CheckRule[] = [
  futureRule('extra-parameter', {
    title: 'An extra parameter does not change the response',
    fix: 'Ignore parameters that you do not know.',
    why: 'A later version of the service may send more parameters. An endpoint that rejects unknown parameters then stops working for all customers.',
  }),
  futureRule('parameter-order', {
    title: 'The order of parameters does not matter',
    fix: 'Read parameters by name, never by position.',
    why: 'The contract does not specify an order. Regular expressions over the query string often rely on one.',
  }),
  futureRule('no-issue', {
    title: 'Data fetches without an issue return a payload',
    fix: 'Treat issue_id as optional, and show what is known about the account.',
    why: 'A later version of the service may show the widget on an account page, where there is no issue.',
  }),
  futureRule('no-requester', {
    title: 'Data fetches without an issue and a requester return a payload',
    fix: 'Treat requester_id and requester_email as optional, and look up the account by account_id.',
    why: 'There is no requester on an account page, or for an issue that a system created.',
  }),
]
