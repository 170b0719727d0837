import { OPEN_DATA_RULES } from './rules/authentication.ts'
import { countByStatus } from './report.ts'
import type { Report, Verdict } from './report.ts'

/** The facts that decide a verdict in addition to the results of the rules. */
export interface VerdictFacts {
  readonly unreachable: boolean
  readonly rateLimited: boolean
  /** Whether payloads were received, but none with data of a customer. */
  readonly onlyCards: boolean
}

/** The groups whose rules are only meaningful with data of a customer. */
const DATA_GROUPS = new Set(['data', 'payload', 'components'])

/** Decides the verdict of a run. Only a run with sufficient evidence ends in `conforms`. */
export function decideVerdict(
  { results, stale }: Pick<Report, 'results' | 'stale'>,
  facts: VerdictFacts,
): Verdict {
  const summary = countByStatus(results)
  if (facts.unreachable) return 'unreachable'
  const isViolated = results.some(
    ({ status, rule }) => status === 'fail' && rule !== 'response-rate-limit',
  )
  if (isViolated || stale.length > 0) return 'violates'
  if (facts.rateLimited) return 'rate_limited'
  if (summary.skip === results.length) return 'not_evaluated'
  if (facts.onlyCards && results.some(({ group }) => DATA_GROUPS.has(group))) {
    return 'no_customer_data'
  }
  const isOpen = results.some(
    ({ rule, status }) =>
      OPEN_DATA_RULES.includes(rule) && (status === 'warn' || status === 'known'),
  )
  return isOpen ? 'open' : 'conforms'
}
