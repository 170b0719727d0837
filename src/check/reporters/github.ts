import { printable } from '../../internal/printable.ts'
import { exitCodeOf } from '../report.ts'
import type { Report, Verdict } from '../report.ts'

/** A report as workflow commands of GitHub Actions: an annotation for each finding. */
export function githubReport(report: Report, verdict: Verdict = {}): string {
  const lines = report.results.flatMap(({ status, rule, findings }) => {
    if (status !== 'fail' && status !== 'warn') return []
    const command = status === 'fail' || verdict.strict === true ? 'error' : 'warning'
    return findings.map(({ path, message, fix }) => {
      const text = `${path === undefined ? '' : `${path}: `}${message}. ${fix}`
      return `::${command} title=${property(`sidecard ${rule}`)}::${data(text)}`
    })
  })
  const stale = report.stale.map(
    (id) =>
      `::error title=sidecard baseline::${data(`${id} is kept now: take it out of the baseline.`)}`,
  )
  const { fail, warn, pass } = report.summary
  const kind = exitCodeOf(report, verdict) === 0 ? 'notice' : 'error'
  const summary = report.unreachable
    ? 'nothing answers at the address'
    : `${fail} failed, ${warn} to look at, ${pass} passed`
  return `${[...lines, ...stale, `::${kind} title=sidecard check::${data(`${report.target}: ${summary}`)}`].join('\n')}\n`
}

function data(text: string): string {
  return printable(text, 1_000).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
