import { countWarnings, exitCodeOf } from '../report.ts'
import type { Report, ReportOptions, RuleResult, RuleStatus } from '../report.ts'

/** A verdict in words. */
export interface VerdictText {
  /** The verdict in one sentence, and one more for each thing that was not proven. */
  readonly headline: string
  /**
   * `good`: the run passed and the endpoint conforms. `caution`: the run passed
   * but does not prove that. `bad`: the run failed.
   */
  readonly tone: 'good' | 'caution' | 'bad'
}

/** Describes the verdict of a report, and names what was not proven. */
export function describeVerdict(report: Report, options: ReportOptions = {}): VerdictText {
  const passed = exitCodeOf(report, options) === 0
  // Several rules can lack the same input.
  const groups = Map.groupBy(
    report.unproven,
    ({ reason, proof }) => `${reason}. To prove it, ${proof}`,
  )
  const open = Array.from(groups, ([reason, list]) => {
    const rules = list.flatMap(({ rule }) => rule ?? [])
    const subject = rules.length === 0 ? '' : `${rules.join(', ')}, because `
    return ` Not proven: ${subject}${reason}.`
  })
  const tone = !passed ? 'bad' : report.verdict === 'conforms' ? 'good' : 'caution'
  return { headline: toSentence(report, passed) + open.join(''), tone }
}

function toSentence(report: Report, passed: boolean): string {
  const { verdict, partial, summary, results } = report
  if (report.unreachable) return 'The endpoint is unreachable.'
  if (verdict === 'violates') {
    if (summary.fail === 0) return 'The baseline is stale.'
    const isStated = results.some(({ status, level }) => status === 'fail' && level === 'MUST')
    if (!isStated) return 'The endpoint fails rules beyond the contract.'
    return `The endpoint violates ${partial ? 'selected rules' : 'the contract'}.`
  }
  if (verdict === 'not_proven') return 'The endpoint is not proven to conform to the contract.'
  if (!passed) return 'The endpoint has warnings, which fail a strict run.'
  return partial ? 'The selected rules passed.' : 'The endpoint conforms to the contract.'
}

/** Formats the number of rules with a status, in the order of summaries. */
const COUNTS: Readonly<Record<RuleStatus, (count: number) => string>> = {
  fail: (count) => `${count} failed`,
  warn: (count) => `${count} ${count === 1 ? 'warning' : 'warnings'}`,
  known: (count) => `${count} known ${count === 1 ? 'failure' : 'failures'}`,
  pass: (count) => `${count} passed`,
  skip: (count) => `${count} skipped`,
  not_applicable: (count) => `${count} not applicable`,
}

/** Returns each status that occurs with its count as text, such as `3 warnings`. */
export function formatCounts(summary: Report['summary']): ReadonlyArray<[RuleStatus, string]> {
  const statuses = Object.keys(COUNTS) as readonly RuleStatus[]
  const occurring = statuses.filter((status) => summary[status] > 0)
  return occurring.map((status) => [status, COUNTS[status](summary[status])])
}

/** Formats the counts of a report, such as `1 failed, 2 warnings, 60 passed`. */
export function formatSummary({ summary }: Pick<Report, 'summary'>): string {
  return formatCounts(summary)
    .map(([, text]) => text)
    .join(', ')
}

/** Returns whether a result fails the run under these options. */
export function failsRun(result: RuleResult, { strict = false }: ReportOptions): boolean {
  return result.status === 'fail' || (strict && countWarnings({ results: [result] }) > 0)
}
