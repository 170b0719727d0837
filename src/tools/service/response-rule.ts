/** The subject of a rule. */
export type RuleGroup =
  | 'reachability'
  | 'handshake'
  | 'data'
  | 'payload'
  | 'components'
  | 'parameters'
  | 'errors'
  | 'authentication'
  | 'security'
  | 'latency'

/**
 * The level of a rule. `MUST`: required by the contract, or harmful regardless
 * of it (`contract.basis` is then `harm`). `SHOULD`: recommended. `ASSUMED`: not
 * specified by the contract.
 */
export type RuleLevel = 'MUST' | 'SHOULD' | 'ASSUMED'

/** The part of the contract that a rule is based on. */
export interface ContractReference {
  /** The statement of the contract, in short. */
  readonly statement: string
  /** The heading of docs/contract.md with the statement. */
  readonly anchor: string
  /**
   * `stated`: the contract states it. `unspecified`: it does not. `harm`: it does
   * not, but a violation is harmful.
   */
  readonly basis: 'stated' | 'unspecified' | 'harm'
}

/** The description of a rule, which is shown in reports, by `--explain` and in docs/checks. */
export interface RuleInfo {
  /** The ID, which is stable and never reused for another rule. */
  readonly id: string
  readonly group: RuleGroup
  readonly level: RuleLevel
  /** A description of conformance. */
  readonly title: string
  readonly contract: ContractReference
  /**
   * The fix, in one line. It does not name options, because terminals, tests and the
   * workspace show it.
   */
  readonly fix: string
  /** Why the rule matters and how it is commonly violated. */
  readonly why: string
  /** The assumption of docs/assumptions.md that the rule relies on. */
  readonly assumption?: `A${number}`
}

/** The level of a rule, and the part of the contract that it is based on. */
type Basis = Pick<RuleInfo, 'level' | 'contract' | 'assumption'>

/** Returns the basis of a rule that the contract states. */
export function must(anchor: string, statement: string): Basis {
  return { level: 'MUST', contract: { statement, anchor, basis: 'stated' } }
}

/** Returns the basis of a rule that the contract does not state, but whose violation is harmful. */
export function harm(anchor: string, statement: string): Basis {
  return { level: 'MUST', contract: { statement, anchor, basis: 'harm' } }
}

/** Returns the basis of a recommendation that the contract does not state. */
export function should(anchor: string, statement: string) {
  return { level: 'SHOULD', contract: { statement, anchor, basis: 'unspecified' } } as const
}

/** Returns the basis of a rule that relies on an assumption. */
export function assumed(anchor: string, statement: string, assumption?: RuleInfo['assumption']) {
  const contract = { statement, anchor, basis: 'unspecified' } as const
  return { level: 'ASSUMED', contract, ...(assumption !== undefined && { assumption }) } as const
}

/** Adds their group to rules. */
export function inGroup<Rule extends RuleInfo>(
  group: RuleGroup,
  rules: ReadonlyArray<Omit<Rule, 'group'>>,
): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, group }) as unknown as Rule)
}

/** One violation of a rule in one response. */
export interface Finding {
  /** The ID of the rule. */
  readonly rule: string
  readonly level: RuleLevel
  /** The path in the payload, such as `components[2].items[0].color`; absent for the whole response. */
  readonly path?: string
  /** The problem in one line, safe to print. */
  readonly message: string
  /** The fix, in one line. */
  readonly fix: string
}

/** A violation as a rule reports it. `fix` is present if it is more specific than the rule's. */
export interface Violation {
  readonly path?: string
  readonly message: string
  readonly fix?: string
}

/** Formats a violation in one line: its path and its problem. */
export function formatViolation({ path, message }: Violation): string {
  return path === undefined ? message : `${path}: ${message}`
}

/** Converts a violation of a rule to a finding. */
export function toFinding(rule: RuleInfo, violation: Violation): Finding {
  return {
    rule: rule.id,
    level: rule.level,
    ...(violation.path !== undefined && violation.path !== '' && { path: violation.path }),
    message: violation.message,
    fix: violation.fix ?? rule.fix,
  }
}
