import type { ReportedFailure } from '../../../runtime/internal/failure-header.ts'
import type { Finding, RuleGroup, RuleLevel } from '../../service/response-rule.ts'
import type { Timing } from '../probes/timing.ts'

/**
 * The result of a rule. `known` is a failure that the baseline lists. A rule with
 * `skip` could not be evaluated, and one with `not_applicable` says nothing about
 * this run.
 */
export type RuleStatus = 'pass' | 'fail' | 'warn' | 'skip' | 'not_applicable' | 'known'

/** One rule in a report. */
export interface RuleResult {
  readonly rule: string
  readonly group: RuleGroup
  readonly level: RuleLevel
  readonly title: string
  /** Whether the rule goes beyond the contract and never fails a run. */
  readonly isAdvice: boolean
  readonly status: RuleStatus
  /** The findings, which are empty unless the status is `fail`, `warn` or `known`. */
  readonly findings: readonly Finding[]
  /** The reason, if the status is `skip` or `not_applicable`. */
  readonly reason?: string
  /** The input that would prove the rule, if its status leaves the verdict `not_proven`. */
  readonly proof?: string
  /** The statement of the contract, in short. */
  readonly contract: string
  /** The command that explains the rule. */
  readonly explain: string
}

/** A failure that the endpoint reported itself. */
export interface ReportFailure {
  /** The name of the request, such as `data fetch 2`. */
  readonly request: string
  /**
   * `unknown` if the header is malformed or names a failure that this version
   * does not recognize.
   */
  readonly kind: ReportedFailure['kind']
  /** The 0-based index of the first component that replaces a section. */
  readonly component?: number
  /** The title of the section. Only available from an endpoint in development. */
  readonly section?: string
  /** Whether the last successfully loaded content is shown instead. */
  readonly stale: boolean
  readonly traceId?: string
  /** The error. Only available from an endpoint in development. */
  readonly error?: {
    readonly name: string
    readonly message: string
    /** The first stack frame in the user's own code. */
    readonly frame?: string
  }
}

/** One request of a check, without secret or personal values. */
export interface RequestRecord {
  readonly name: string
  /** Absent if no response was received. */
  readonly status?: number
  readonly durationMs: number
  /** The connection error, if there was one. */
  readonly failure?: string
  /** The request as a cURL command, with shell variables for secrets and customer IDs. */
  readonly curl: string
}

/** Every verdict of a run, with its exit code. The documentation is generated from it. */
export const VERDICTS = {
  conforms: {
    exitCode: 0,
    meaning: 'no rule failed, and nothing that matters was left unproven',
  },
  violates: { exitCode: 1, meaning: 'a rule failed, or an entry of the baseline passes now' },
  not_proven: {
    exitCode: 1,
    meaning:
      'no rule failed, but something that matters was not proven; the report says how to prove it',
  },
} as const

/** The verdict of a run. @see docs/checks/README.md#verdicts */
export type Verdict = keyof typeof VERDICTS

/** A requirement that matters and that a run did not prove. */
export interface Unproven {
  /** The ID of the rule, if there is one. */
  readonly rule?: string
  readonly reason: string
  /** The input that would prove it. */
  readonly proof: string
}

/**
 * The result of a check: plain JSON without secrets. Without `details`, it also
 * contains no data of a customer.
 */
export interface Report {
  /** The version of this format, described by `sidecard/schema/check-report.json`. */
  readonly version: 2
  readonly verdict: Verdict
  /** The URL, without the values of its query. */
  readonly target: string
  /** The start of the check, in RFC 3339. */
  readonly startedAt: string
  readonly durationMs: number
  /** The number of requests that were sent. */
  readonly requests: number
  /** Whether the endpoint did not respond at all. */
  readonly unreachable: boolean
  /**
   * Whether there were payloads, and each was only a designed card, such as "no
   * customer found".
   */
  readonly onlyCards: boolean
  /** Whether the rate limit rejected requests until the end of the check. */
  readonly rateLimited: boolean
  /** Whether the endpoint rejected the right secret after the wrong ones, with 403 or 429. */
  readonly blocked: boolean
  /** Whether the run was limited to some of the rules. */
  readonly partial: boolean
  readonly results: readonly RuleResult[]
  readonly summary: Readonly<Record<RuleStatus, number>>
  /** The failures that the endpoint reported itself. */
  readonly failures: readonly ReportFailure[]
  /** The requirements that matter and were not proven. */
  readonly unproven: readonly Unproven[]
  /** Rules in the baseline that pass now. */
  readonly stale: readonly string[]
  readonly timings: { readonly handshake: Timing; readonly data: Timing }
  /** Every request, with the option `details`. */
  readonly exchanges?: readonly RequestRecord[]
  /** The payload of the first data fetch, with the option `details`, if it is valid. */
  readonly payload?: unknown
}

/** Options of the exit code of a report. */
export interface ReportOptions {
  /** Warnings fail the run; advice does not. @default false */
  readonly strict?: boolean
  /** A run with the verdict `not_proven` passes, if a rule was evaluated. @default false */
  readonly allowUnproven?: boolean
}

/**
 * Returns the exit code of the command: 0 for a run that passed, 1 for one that
 * did not, 3 if the endpoint is unreachable.
 */
export function exitCodeOf(report: Report, options: ReportOptions = {}): 0 | 1 | 3 {
  const { verdict, summary, results } = report
  const { strict = false, allowUnproven = false } = options
  if (report.unreachable) return 3
  const isAllowed = allowUnproven && summary.fail === 0 && countEvaluated(results) > 0
  const { exitCode } = VERDICTS[verdict]
  if (exitCode !== 0 && !(verdict === 'not_proven' && isAllowed)) return exitCode
  return strict && countWarnings(report) > 0 ? 1 : 0
}

/** Counts the warnings that fail a strict run. */
export function countWarnings({ results }: Pick<Report, 'results'>): number {
  return results.filter(({ status, isAdvice }) => status === 'warn' && !isAdvice).length
}

/** Counts the rules that were evaluated. */
export function countEvaluated(results: readonly RuleResult[]): number {
  return results.filter(({ status }) => status !== 'skip' && status !== 'not_applicable').length
}

/** Counts the results by status. */
export function countByStatus(results: readonly RuleResult[]): Report['summary'] {
  const summary = { pass: 0, fail: 0, warn: 0, skip: 0, not_applicable: 0, known: 0 }
  for (const { status } of results) summary[status] += 1
  return summary
}
