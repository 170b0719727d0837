import { printable } from '../../internal/printable.ts'
import { exitCodeOf } from '../report.ts'
import type { Report, RuleStatus, Verdict } from '../report.ts'
import { GROUPS } from '../rules/index.ts'

const MARKS: Readonly<Record<RuleStatus, string>> = {
  fail: '❌',
  warn: '⚠️',
  known: '≈',
  pass: '✅',
  skip: '–',
}

/** A report as Markdown, for a job summary or a comment. */
export function markdownReport(report: Report, verdict: Verdict = {}): string {
  const kept = exitCodeOf(report, verdict) === 0
  const spoken = report.results.filter(({ findings }) => findings.length > 0)
  const title = report.unreachable
    ? 'Nothing answers at the address'
    : `The endpoint ${kept ? 'keeps' : 'breaks'} the contract`
  return `${[
    `## ${title}`,
    '',
    `${code(report.target)}: ${report.requests} requests in ${Math.round(report.durationMs)} ms.`,
    '',
    '| group | failed | to look at | passed | not judged |',
    '|---|---|---|---|---|',
    ...GROUPS.map((group) => {
      const of = (...statuses: RuleStatus[]) =>
        report.results.filter((each) => each.group === group && statuses.includes(each.status))
          .length
      return `| ${group} | ${of('fail')} | ${of('warn', 'known')} | ${of('pass')} | ${of('skip')} |`
    }),
    ...(spoken.length > 0 ? ['', '| | rule | what was found | fix |', '|---|---|---|---|'] : []),
    ...spoken.flatMap(({ status, rule, findings }) =>
      findings.map(({ path, message, fix }) => {
        const where = path === undefined ? '' : `${code(path)} `
        return `| ${MARKS[status]} | ${code(rule)} | ${where}${text(message)} | ${text(fix)} |`
      }),
    ),
    ...(report.stale.length > 0
      ? ['', `Stale in the baseline: ${report.stale.map(code).join(', ')}.`]
      : []),
  ].join('\n')}\n`
}

/** Text from outside, with everything that Markdown or HTML would read as a mark made harmless. */
function text(value: string): string {
  return printable(value, 500).replace(
    /[\\`*_{}[\]<>()#+!|~&@]/g,
    (mark) => `&#${mark.charCodeAt(0)};`,
  )
}

/** Not between backticks, which text from outside could end. */
function code(value: string): string {
  return `<code>${text(value)}</code>`
}
