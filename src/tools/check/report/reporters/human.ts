import { countByStatus } from '../report.ts'
import type { Report, ReportOptions, RuleResult, RuleStatus } from '../report.ts'
import { type Palette, PLAIN } from '../../../internal/palette.ts'
import { formatCounts, formatSummary, describeVerdict } from './verdict-text.ts'
import { wrap } from '../../../internal/wrap.ts'

/** Options of `formatReport()`. */
export interface HumanOptions extends ReportOptions {
  /** The colors of the `human` report. @default none */
  readonly palette?: Palette
  /** Columns of the `human` report, from 20 to 1,000. @default 100 */
  readonly width?: number
}

/** The maximum number of findings that are shown for one rule. */
const MAX_SHOWN = 5

/** Formats a report as a table by group, with the findings below their group. */
export function humanReport(report: Report, options: HumanOptions): string {
  const { palette = PLAIN, width = 100 } = options
  const groups = Map.groupBy(report.results, ({ group }) => group)
  const { fail, warn } = Object.groupBy(report.results, ({ status }) => status)
  const [first] = report.unreachable ? [] : (fail ?? warn ?? [])
  const { headline, tone } = describeVerdict(report, options)
  const color = { good: palette.green, caution: palette.yellow, bad: palette.red }[tone]
  const counts = report.unreachable ? '' : `${formatSummary(report)}. `
  const verdict = headline.split(/(?= Not proven: )/).map((line) => wrap(line.trim(), width, '  '))
  return `${[
    `${palette.bold(report.target)}  ${palette.dim(`${report.requests} requests in ${formatSeconds(report.durationMs)}`)}`,
    '',
    ...[...groups].flatMap(([group, results]) => groupLines(group, results, palette, width)),
    '',
    ...timingLines(report, palette),
    ...report.stale.map(
      (id) => `${palette.red('✗')} ${id} passes now. Remove it from the baseline.`,
    ),
    ...(first ? [palette.dim(`For details, run: npx sidecard check --explain ${first.rule}`)] : []),
    `${counts}${color(palette.bold(verdict.join('\n')))}`,
  ].join('\n')}\n`
}

function groupLines(
  group: string,
  results: readonly RuleResult[],
  palette: Palette,
  width: number,
): string[] {
  const counts = formatCounts(countByStatus(results)).map(
    ([status, text]) => `${statusSymbol(status, palette)} ${text}`,
  )
  const resultsWithFindings = results.filter(({ findings }) => findings.length > 0)
  return [
    `  ${palette.bold(group.padEnd(16))}${counts.join('   ')}`,
    ...resultsWithFindings.flatMap((result) => resultLines(result, palette, width)),
    ...(resultsWithFindings.length > 0 ? [''] : []),
  ]
}

function resultLines(result: RuleResult, palette: Palette, width: number): string[] {
  const indent = '        '
  const shown = result.findings.slice(0, MAX_SHOWN)
  const hidden = result.findings.length - shown.length
  const fixes = new Set(shown.map(({ fix }) => fix))
  const title = wrap(result.title, width, indent, result.rule.length + 8)
  const labeled = (label: string, text: string) =>
    `${indent}${palette.dim(label.padEnd(9))}${wrap(text, width, `${indent}         `)}`
  return [
    `    ${statusSymbol(result.status, palette)} ${palette.bold(result.rule)}  ${title}`,
    ...shown.map(({ path, message }) => {
      if (path === undefined) return `${indent}${wrap(message, width, indent)}`
      const used = indent.length + path.length + 2
      return `${indent}${palette.cyan(path)}  ${wrap(message, width, indent, used)}`
    }),
    ...(hidden > 0 ? [`${indent}${palette.dim(`and ${hidden} more`)}`] : []),
    labeled('contract', result.contract),
    ...[...fixes].map((fix) => labeled('fix', fix)),
  ]
}

function timingLines({ timings }: Report, palette: Palette): string[] {
  const lines = Object.entries(timings).flatMap(([name, { count, p50Ms, p95Ms, p99Ms, maxMs }]) => {
    const times = `p50 ${p50Ms} ms   p95 ${p95Ms} ms   p99 ${p99Ms} ms   max ${maxMs} ms`
    const line = `${name.padEnd(10)} ${times}   (${count} responses)`
    return count === 0 ? [] : [`  ${palette.dim(line)}`]
  })
  return lines.length === 0 ? [] : [...lines, '']
}

const SYMBOLS: Readonly<Record<RuleStatus, readonly [symbol: string, color: keyof Palette]>> = {
  pass: ['✓', 'green'],
  fail: ['✗', 'red'],
  warn: ['!', 'yellow'],
  known: ['≈', 'dim'],
  skip: ['–', 'dim'],
  not_applicable: ['·', 'dim'],
}

function statusSymbol(status: RuleStatus, palette: Palette): string {
  const [symbol, color] = SYMBOLS[status]
  return palette[color](symbol)
}

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`
}
