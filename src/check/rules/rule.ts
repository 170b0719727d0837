import type { Violation, RuleInfo } from '../../service/rules/rule.ts'
import type { Evidence } from '../evidence.ts'

/** One violation of a rule. */
export interface CheckViolation extends Violation {
  /** Whether it fails the run. @default `failsRun` of the rule */
  readonly fails?: boolean
}

/** The violations of a rule, or the reason why it was skipped. */
export type RuleOutcome =
  | { readonly violations: readonly CheckViolation[] }
  | { readonly skipped: string }

/** A rule of the checker: its description, and a pure function of the evidence. */
export interface CheckRule extends RuleInfo {
  /**
   * Whether the rule goes beyond the contract. A violation never fails a run, not
   * even with `strict`.
   */
  readonly isAdvice?: boolean
  /** Whether a violation fails the run. @default true for a MUST rule, else false */
  readonly failsRun?: boolean
  evaluate(evidence: Evidence): RuleOutcome
}

/** The outcome of a rule without violations. */
export const PASSED: RuleOutcome = { violations: [] }

/** Returns the outcome of a skipped rule. */
export function skipped(reason: string): RuleOutcome {
  return { skipped: reason }
}

/** Returns the outcome of a rule whose requests were not sent: because of the profile, or for this reason. */
export function notSent({ settings }: Evidence, reason: string): RuleOutcome {
  return skipped(
    settings.profile === 'monitor' ? 'its requests are not sent (profile monitor)' : reason,
  )
}

/** Returns the outcome of a rule with one violation. */
export function violation(found: CheckViolation): RuleOutcome {
  return { violations: [found] }
}

/** Merges equal violations. If only some probes have a violation, it lists them. */
export function groupViolations(
  found: ReadonlyArray<CheckViolation & { readonly name: string }>,
  total: number,
): readonly CheckViolation[] {
  const groups = new Map<string, { merged: CheckViolation; names: Set<string> }>()
  for (const { name, ...merged } of found) {
    const key = JSON.stringify([merged.path, merged.message])
    const group = groups.get(key) ?? { merged, names: new Set() }
    group.names.add(name)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ merged, names }) =>
    names.size < total
      ? { ...merged, message: `${merged.message} (${joinNames([...names])})` }
      : merged,
  )
}

/** Joins names for a sentence. Names beyond the maximum are only counted. */
export function joinNames(names: readonly string[], max = 3): string {
  if (names.length <= max) return names.join(', ')
  return `${names.slice(0, max).join(', ')} and ${names.length - max} more`
}
