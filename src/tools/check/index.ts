/**
 * Checks any endpoint against the contract.
 *
 * @module
 * @see docs/checks/README.md
 */
export { check } from './check.ts'
export type { CheckCustomer } from './check-customers.ts'
export type { CheckOptions } from './options.ts'
export type {
  Report,
  ReportFailure,
  RequestRecord,
  RuleResult,
  RuleStatus,
  Verdict,
} from './report/report.ts'
export type { Timing } from './probes/timing.ts'
export type { Finding, RuleGroup, RuleLevel } from '../service/response-rule.ts'
export type { Target } from '../service/endpoint/target.ts'
