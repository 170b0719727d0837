/**
 * Checks any endpoint against the contract.
 *
 * @module
 * @see docs/checks/README.md
 */
export { applyBaseline, parseBaseline } from './baseline.ts'
export { check } from './check.ts'
export type { CheckOptions, Progress } from './options.ts'
export { isPublicAddress, isPublicHost } from './public-address.ts'
export { explainRule, listRules } from './explain.ts'
export { formatReport, REPORTERS, type ReporterName } from './reporters/index.ts'
export { PLAIN, type Palette } from './reporters/palette.ts'
export { exitCodeOf } from './report.ts'
export type { Report, RuleResult, RuleStatus, Timing, Verdict } from './report.ts'
export { GROUPS, RULES } from './rules/index.ts'
export type { CheckRule } from './rules/rule.ts'
export { findRule, selectRules } from './selection.ts'
export type { Finding, RuleGroup, RuleInfo, RuleLevel } from '../desk/rules/rule.ts'
export type { Target } from '../desk/target.ts'
