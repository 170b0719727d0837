import { SidecardError } from '../errors.ts'
import { summaryOf } from './report.ts'
import type { Report } from './report.ts'
import { RULES } from './rules/index.ts'

/**
 * Reads a baseline: a JSON array with the ids of rules that are known to fail.
 *
 * @throws {SidecardError} `invalid_baseline` when it is something else or names a rule that does not exist.
 */
export function parseBaseline(text: string): readonly string[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) {
    throw new SidecardError(
      'invalid_baseline',
      'The baseline must be a JSON array of rule ids, such as ["handshake-fields"].',
    )
  }
  const unknown = value.find((id) => !RULES.some((rule) => rule.id === id))
  if (unknown !== undefined) {
    throw new SidecardError(
      'invalid_baseline',
      `The baseline names ${JSON.stringify(unknown)}, which is no rule: sidecard check --list shows them all.`,
    )
  }
  return value
}

/**
 * Marks known failures, which then fail no run. A rule that the baseline lists
 * and that is kept now is stale, which fails it: a baseline only ever shrinks.
 */
export function applyBaseline(report: Report, known: readonly string[]): Report {
  const results = report.results.map((result) =>
    known.includes(result.rule) && (result.status === 'fail' || result.status === 'warn')
      ? { ...result, status: 'known' as const }
      : result,
  )
  const stale = known.filter((id) =>
    results.some(({ rule, status }) => rule === id && status === 'pass'),
  )
  return { ...report, results, summary: summaryOf(results), stale }
}
