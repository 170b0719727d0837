import { countEvaluated } from './report.ts'
import type { Report, Unproven, Verdict } from './report.ts'

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
  const isViolated = results.some(
    ({ status, rule }) => status === 'fail' && rule !== 'response-rate-limit',
  )
  if (!facts.unreachable && (isViolated || stale.length > 0)) {
    return { verdict: 'violates', unproven }
  }
  return { verdict: unproven.length > 0 ? 'not_proven' : 'conforms', unproven }
}

function listUnproven(results: Report['results'], facts: VerdictFacts): readonly Unproven[] {
  const { unreachable, rateLimited, blocked, onlyCards } = facts
  if (unreachable) {
    return [{ reason: 'the endpoint is unreachable', proof: 'start it, or pass its URL' }]
  }
  const open: ReadonlyArray<readonly [isOpen: boolean, reason: string, proof: string]> = [
    [
      rateLimited,
      'the endpoint limits the rate of requests',
      'allow more requests from this machine, or pass a longer --max-wait',
    ],
    [
      blocked,
      'the right secret was rejected after the wrong ones, as by a firewall',
      'exempt this machine from the firewall, or skip the group authentication',
    ],
    [countEvaluated(results) === 0, 'no selected rule was evaluated', 'select other rules'],
    [
      onlyCards && results.some(({ group }) => DATA_GROUPS.has(group)),
      'no customer data was checked',
      'pass --param account_id=… with an ID that the endpoint knows',
    ],
  ]
  return [
    ...open.flatMap(([isOpen, reason, proof]) => (isOpen ? [{ reason, proof }] : [])),
    ...results.flatMap(({ rule, status, reason, findings, proof }) =>
      proof === undefined || status === 'fail'
        ? []
        : [{ rule, reason: reason ?? (findings[0]?.message ?? '').split(': ')[0] ?? '', proof }],
    ),
  ]
}
