import { escapeForDisplay } from '../../../internal/escape-for-display.ts'
import { formatViolation } from '../../../service/response-rule.ts'
import { exitCodeOf, type Report, type ReportOptions } from '../report.ts'
import { describeVerdict, failsRun, formatSummary } from './verdict-text.ts'

/** Formats a report as workflow commands of GitHub Actions: an annotation for each finding. */
export function githubReport(report: Report, options: ReportOptions): string {
  const lines = report.results.flatMap((result) => {
    const { status, rule, isAdvice, findings } = result
    if (status !== 'fail' && status !== 'warn') return []
    const command = failsRun(result, options) ? 'error' : isAdvice ? 'notice' : 'warning'
    return findings.map((finding) => {
      const text = `${formatViolation(finding)}. ${finding.fix}`
      return `::${command} title=${escapeProperty(`sidecard ${rule}`)}::${escapeData(text)}`
    })
  })
  const stale = report.stale.map((id) => {
    const text = `${id} passes now. Remove it from the baseline.`
    return `::error title=sidecard baseline::${escapeData(text)}`
  })
  const { headline, tone } = describeVerdict(report, options)
  const command =
    exitCodeOf(report, options) !== 0 ? 'error' : tone === 'caution' ? 'warning' : 'notice'
  const summary = report.unreachable ? headline : `${headline} ${formatSummary(report)}`
  return `${[...lines, ...stale, `::${command} title=sidecard check::${escapeData(`${report.target}: ${summary}`)}`].join('\n')}\n`
}

function escapeData(text: string): string {
  return escapeForDisplay(text, 1_000).replaceAll('%', '%25')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
