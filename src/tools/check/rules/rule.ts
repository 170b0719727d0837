import type { Violation, RuleInfo } from '../../service/response-rule.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { DataProbe, HandshakeProbe } from '../probe.ts'

/** One violation of a rule. */
export interface CheckViolation extends Violation {
  /** Whether the violation fails the run. @default `failsRun` of the rule */
  readonly fails?: boolean
}

/** The violations of a rule, why it was skipped, or why it says nothing about this run. */
export type RuleOutcome = (
  | { readonly violations: readonly CheckViolation[] }
  | { readonly status: 'skip' | 'not_applicable'; readonly reason: string }
) & {
  /** The input that would prove the rule. With it, a rule that was skipped or has a warning leaves the verdict `not_proven`. */
  readonly proof?: string
}

/** A rule of the checker: its description, and a pure function of the evidence. */
export interface CheckRule extends RuleInfo {
  /**
   * Whether the rule goes beyond the contract. A violation never fails a run, not
   * even with `strict`.
   */
  readonly isAdvice?: boolean
  /** Whether a violation fails the run. @default true for a MUST rule, else false */
  readonly failsRun?: boolean
  /**
   * Whether a violation harms customers. If the rule is skipped, the verdict is
   * `not_proven`. @default true for a rule whose basis is `harm`
   */
  readonly isHarmful?: boolean
  evaluate(evidence: Evidence): RuleOutcome
}

/** The outcome of a rule without violations. */
export const PASSED: RuleOutcome = { violations: [] }

/** Returns the outcome of a skipped rule. */
export function skipped(reason: string): RuleOutcome {
  return { status: 'skip', reason }
}

/** Returns the outcome of a rule that says nothing about this run, such as one about a missing option. */
export function notApplicable(reason: string): RuleOutcome {
  return { status: 'not_applicable', reason }
}

/** The proof of a skipped rule about harm that needs no further input. */
export const MEND_FIRST = 'fix what the other rules report, and check again'

/** Returns the outcome of a rule about harm that could not be evaluated. */
export function unproven(reason: string, proof: string): RuleOutcome {
  return { status: 'skip', reason, proof }
}

/** Returns the outcome of a rule with at most one violation. */
export function violation(found: CheckViolation | undefined): RuleOutcome {
  return { violations: found === undefined ? [] : [found] }
}

/** Returns the outcome of similar requests, of which those in the list failed. */
export function countFailed(
  failed: ReadonlyArray<HandshakeProbe | DataProbe>,
  total: number,
  what: string,
  details: Pick<CheckViolation, 'fails' | 'fix'> = {},
): RuleOutcome {
  const [first] = failed
  if (first === undefined) return PASSED
  const message = `${failed.length} of ${total} ${what} failed; ${first.name}: ${first.problems[0]?.message}`
  return violation({ message, ...details })
}

/** Returns the first violation of a probe, with its name. */
export function findFirst<P extends { readonly name: string }>(
  probes: readonly P[],
  find: (probe: P) => CheckViolation | undefined,
): CheckViolation | undefined {
  for (const probe of probes) {
    const found = find(probe)
    if (found !== undefined) return { ...found, message: `${probe.name}: ${found.message}` }
  }
  return undefined
}

/**
 * Merges equal violations. If only some probes have a violation, it lists them.
 * Several probes can have the same name.
 */
export function groupViolations<P extends { readonly name: string }>(
  probes: readonly P[],
  find: (probe: P) => readonly CheckViolation[],
): readonly CheckViolation[] {
  const all = probes.flatMap((probe) => find(probe).map((found) => ({ probe, found })))
  const groups = Map.groupBy(all, ({ found }) => JSON.stringify([found.path, found.message]))
  return Array.from(groups.values(), (group) => {
    const { found } = group[0]!
    if (new Set(group.map(({ probe }) => probe)).size === probes.length) return found
    const names = new Set(group.map(({ probe }) => probe.name))
    return { ...found, message: `${found.message} (${joinNames([...names])})` }
  })
}

/** Joins names for a sentence. Names beyond the maximum are only counted. */
export function joinNames(names: readonly string[], max = 3): string {
  if (names.length <= max) return names.join(', ')
  return `${names.slice(0, max).join(', ')} and ${names.length - max} more`
}
