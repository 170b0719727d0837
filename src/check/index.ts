/**
 * Checks any endpoint against the contract.
 *
 * @module
 * @see docs/checks/README.md
 */
export { applyBaseline, parseBaseline } from './baseline.ts'
export { check } from './check.ts'
export type { CheckOptions, CheckProfile, Connection, Progress } from './options.ts'
export { explainRule, listRules } from './explain.ts'
export { formatReport, REPORTERS, type ReporterName } from './reporters/index.ts'
export type { HumanOptions } from './reporters/human.ts'
export { PLAIN, type Palette } from './reporters/palette.ts'
export { describeVerdict, type VerdictText } from './reporters/verdict-text.ts'
export { exitCodeOf } from './report.ts'
export type {
  Report,
  ReportFailure,
  ReportOptions,
  RequestRecord,
  RuleResult,
  RuleStatus,
  Verdict,
} from './report.ts'
export type { Timing } from './timing.ts'
export { GROUPS, RULES } from './rules/index.ts'
export type { CheckRule } from './rules/rule.ts'
export { findRule, selectRules } from './selection.ts'
export type { Finding, RuleGroup, RuleInfo, RuleLevel } from '../service/rules/rule.ts'
export type { Target } from '../service/target.ts'
