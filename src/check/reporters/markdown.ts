import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import type { Report, ReportSettings, RuleStatus } from '../report.ts'
import { GROUPS } from '../rules/index.ts'
import { toVerdictText } from './verdict-text.ts'

const SYMBOLS: Readonly<Record<RuleStatus, string>> = {
  fail: '❌',
  warn: '⚠️',
  known: '≈',
  pass: '✅',
  skip: '–',
}

/** Formats a report as Markdown, for a job summary or a comment. */
export function markdownReport(report: Report, settings: ReportSettings): string {
  const resultsWithFindings = report.results.filter(({ findings }) => findings.length > 0)
  const headline = toVerdictText(report, settings).headline.replace(/\.$/, '')
  return `${[
    `## ${headline}`,
    '',
    `${formatCode(report.target)}: ${report.requests} requests in ${Math.round(report.durationMs)} ms.`,
    '',
    '| group | failed | warnings | passed | skipped |',
    '|---|---|---|---|---|',
    ...GROUPS.flatMap((group) => {
      const results = report.results.filter((each) => each.group === group)
      const count = (...statuses: RuleStatus[]) =>
        results.filter(({ status }) => statuses.includes(status)).length
      const cells = [count('fail'), count('warn', 'known'), count('pass'), count('skip')]
      return results.length === 0 ? [] : [`| ${[group, ...cells].join(' | ')} |`]
    }),
    ...timingRows(report),
    ...(resultsWithFindings.length > 0
      ? ['', '| | rule | finding | fix |', '|---|---|---|---|']
      : []),
    ...resultsWithFindings.flatMap(({ status, rule, findings }) =>
      findings.map(({ path, message, fix }) => {
        const where = path === undefined ? '' : `${formatCode(path)} `
        return `| ${SYMBOLS[status]} | ${formatCode(rule)} | ${where}${escapeMarkdown(message)} | ${escapeMarkdown(fix)} |`
      }),
    ),
    ...(report.stale.length > 0
      ? ['', `Stale in the baseline: ${report.stale.map(formatCode).join(', ')}.`]
      : []),
  ].join('\n')}\n`
}

function timingRows({ timings }: Report): readonly string[] {
  const rows = Object.entries(timings)
    .filter(([, { count }]) => count > 0)
    .map(
      ([name, { count, p50Ms, p95Ms, p99Ms }]) =>
        `| ${name} | ${count} | ${p50Ms} ms | ${p95Ms} ms | ${p99Ms} ms |`,
    )
  return rows.length === 0
    ? []
    : ['', '| request | responses | p50 | p95 | p99 |', '|---|---|---|---|---|', ...rows]
}

/** Escapes everything in untrusted text that Markdown or HTML would interpret. */
function escapeMarkdown(value: string): string {
  return escapeForDisplay(value, 500).replace(
    /[\\`*_{}[\]<>()#+!|~&@]/g,
    (mark) => `&#${mark.charCodeAt(0)};`,
  )
}

/** Backticks are not used, because untrusted text could contain one. */
function formatCode(value: string): string {
  return `<code>${escapeMarkdown(value)}</code>`
}
