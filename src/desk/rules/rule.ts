/** What a rule is about. */
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
 * How binding a rule is. `MUST`: the contract's own words, or plain harm, in
 * which case `contract.basis` is `harm`. `SHOULD`: the safe reading. `ASSUMED`:
 * what the contract does not show.
 */
export type RuleLevel = 'MUST' | 'SHOULD' | 'ASSUMED'

/** What a rule stands on. */
export interface ContractReference {
  /** The sentence, in short. */
  readonly says: string
  /** The heading of docs/contract.md that holds it. */
  readonly anchor: string
  /**
   * `words`: the contract says it. `harm`: the contract has no word for it, and
   * what the rule finds is harm already done. `silence`: the contract does not show it.
   */
  readonly basis: 'words' | 'harm' | 'silence'
}

/** A rule as people read it: in a report, in `--explain` and in docs/checks. */
export interface RuleInfo {
  /** Stable, never reused for something else. */
  readonly id: string
  readonly group: RuleGroup
  readonly level: RuleLevel
  /** What holds when the rule is kept. */
  readonly title: string
  readonly contract: ContractReference
  /** One line: what to do. */
  readonly fix: string
  /** Why it matters, and what often goes wrong: a few sentences for the rule's page. */
  readonly why: string
  /** The assumption of docs/assumptions.md that the rule relies on. */
  readonly assumption?: `A${number}`
}

/** One thing found wrong with one answer. */
export interface Finding {
  /** The id of the rule. */
  readonly rule: string
  readonly level: RuleLevel
  /** Where in the answer, such as `components[2].items[0].color`; absent for the answer as a whole. */
  readonly path?: string
  /** What was found; one line, safe to print. */
  readonly message: string
  /** What to do about it; one line. */
  readonly fix: string
}

/** What a rule reports: what was found and where, and a fix when it knows a better one than the rule's. */
export interface Fault {
  readonly path?: string
  readonly message: string
  readonly fix?: string
}

/** A fault as a finding of a rule. */
export function finding(rule: RuleInfo, fault: Fault): Finding {
  return {
    rule: rule.id,
    level: rule.level,
    ...(fault.path !== undefined && fault.path !== '' && { path: fault.path }),
    message: fault.message,
    fix: fault.fix ?? rule.fix,
  }
}
