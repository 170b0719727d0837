import type { Finding, RuleGroup, RuleLevel } from '../desk/rules/rule.ts'

/** What became of a rule. `known` is a failure that the baseline lists. */
export type RuleStatus = 'pass' | 'fail' | 'warn' | 'skip' | 'known'

/** One rule in a report. */
export interface RuleResult {
  readonly rule: string
  readonly group: RuleGroup
  readonly level: RuleLevel
  readonly title: string
  readonly status: RuleStatus
  /** What was found; empty unless the status is `fail`, `warn` or `known`. */
  readonly findings: readonly Finding[]
  /** Why the rule could not be judged; there when the status is `skip`. */
  readonly reason?: string
  /** The sentence of the contract that the rule stands on. */
  readonly contract: string
  /** The page of the rule, relative to the repository. */
  readonly docs: string
}

/** How long the answers to one kind of request took, in milliseconds. */
export interface Timing {
  readonly count: number
  readonly medianMs: number
  readonly slowestMs: number
}

/** What a check found; plain JSON, without a value of a header or of the address's query. */
export interface Report {
  /** Of this format. */
  readonly version: 1
  /** The address as it may be printed. */
  readonly target: string
  /** RFC 3339. */
  readonly startedAt: string
  readonly durationMs: number
  /** Requests that were sent. */
  readonly requests: number
  /** True when nothing answers at the address. */
  readonly unreachable: boolean
  readonly results: readonly RuleResult[]
  readonly summary: Readonly<Record<RuleStatus, number>>
  /** Rules that the baseline lists and that do not fail any more. */
  readonly stale: readonly string[]
  readonly timings: { readonly handshake: Timing; readonly data: Timing }
}

/** How strictly a report is read. */
export interface Verdict {
  /** Warnings fail, too. @default false */
  readonly strict?: boolean
}

/** What the command exits with: 0 nothing failed, 1 a rule failed, 3 nothing answers at the address. */
export function exitCodeOf(report: Report, { strict = false }: Verdict = {}): 0 | 1 | 3 {
  if (report.unreachable) return 3
  const { fail, warn } = report.summary
  return fail > 0 || report.stale.length > 0 || (strict && warn > 0) ? 1 : 0
}

/** Counts the results by status. */
export function summaryOf(results: readonly RuleResult[]): Report['summary'] {
  const summary = { pass: 0, fail: 0, warn: 0, skip: 0, known: 0 }
  for (const { status } of results) summary[status] += 1
  return summary
}
