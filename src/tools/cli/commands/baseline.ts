import { SidecardError } from '../../../runtime/internal/errors.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import { countByStatus, type Report } from '../../check/report/report.ts'
import { RULES } from '../../check/rules/index.ts'
import { suggest } from '../../check/selection.ts'
import { decideVerdict } from '../../check/report/verdict.ts'

/**
 * Parses a baseline: a JSON array of IDs of rules that are known to fail.
 *
 * @throws {SidecardError} `invalid_baseline` for anything else, or an unknown rule.
 */
export function parseBaseline(text: string): readonly string[] {
  const value = tryJson(text)
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) {
    throw new SidecardError(
      'invalid_baseline',
      'The baseline must be a JSON array of rule IDs, such as ["handshake-fields"].',
    )
  }
  const ids = RULES.map(({ id }) => id)
  const unknown = value.find((id) => !ids.includes(id))
  if (unknown === undefined) return value
  throw new SidecardError(
    'invalid_baseline',
    `Unknown rule ${JSON.stringify(unknown)} in the baseline. ${suggest(unknown, ids)}`,
  )
}

/**
 * Marks the failures in the baseline as known, so that they do not fail the run.
 * The run also fails if a rule in the baseline passes, so that a baseline only
 * shrinks.
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
  return {
    ...report,
    results,
    summary: countByStatus(results),
    stale,
    ...decideVerdict({ results, stale }, report),
  }
}
