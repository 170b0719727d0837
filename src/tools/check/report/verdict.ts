import { countEvaluated, type Report, type Unproven, type Verdict } from './report.ts'

/** The facts that decide a verdict in addition to the results of the rules. */
export type VerdictFacts = Pick<Report, 'unreachable' | 'rateLimited' | 'blocked' | 'onlyCards'>

/** The groups whose rules are only meaningful with data of a customer. */
const DATA_GROUPS = new Set(['data', 'payload', 'components'])

/** Decides the verdict of a run, and lists what matters and was not proven. */
export function decideVerdict(
  { results, stale }: Pick<Report, 'results' | 'stale'>,
  facts: VerdictFacts,
): { readonly verdict: Verdict; readonly unproven: readonly Unproven[] } {
  const unproven = listUnproven(results, facts)
  const isViolated =
    stale.length > 0 ||
    results.some(({ status, rule }) => status === 'fail' && rule !== 'response-rate-limit')
  if (isViolated && !facts.unreachable) return { verdict: 'violates', unproven }
  return { verdict: unproven.length > 0 ? 'not_proven' : 'conforms', unproven }
}

function listUnproven(results: Report['results'], facts: VerdictFacts): readonly Unproven[] {
  const { unreachable, rateLimited, blocked, onlyCards } = facts
  if (unreachable) {
    return [{ reason: 'the endpoint is unreachable', proof: 'start it, or pass its URL' }]
  }
  const isEmpty = countEvaluated(results) === 0
  const lacksData = onlyCards && results.some(({ group }) => DATA_GROUPS.has(group))
  const open = [
    rateLimited && {
      reason: 'the endpoint limits the rate of requests',
      proof: 'allow more requests from this machine, or pass a longer --max-wait',
    },
    blocked && {
      reason: 'the right secret was rejected after the wrong ones, as by a firewall',
      proof: 'exempt this machine from the firewall, or skip the group authentication',
    },
    isEmpty && { reason: 'no selected rule was evaluated', proof: 'select other rules' },
    lacksData && {
      reason: 'no customer data was checked',
      proof: 'pass --param account_id=… with an ID that the endpoint knows',
    },
  ]
  return [
    ...open.filter((each) => !!each),
    ...results.flatMap(({ rule, status, reason, findings, proof }) =>
      proof === undefined || status === 'fail'
        ? []
        : [{ rule, reason: reason ?? (findings[0]?.message ?? '').split(': ')[0] ?? '', proof }],
    ),
  ]
}
