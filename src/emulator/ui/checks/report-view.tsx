import type { Report, RuleResult, RuleStatus } from '../../../check/report.ts'
import { InlineCode } from '../parts/inline-code.tsx'
import { RuleId } from '../parts/finding-list.tsx'

interface ReportViewProps {
  readonly report: Report
  /** Leaves out what passed, and what could not be judged. */
  readonly onlyFailing: boolean
}

const WORDS: Record<RuleStatus, string> = {
  pass: 'Pass',
  fail: 'Fail',
  warn: 'Warn',
  skip: 'Skip',
  known: 'Known',
}

/** A report, its rules in their groups. */
export function ReportView({ report, onlyFailing }: ReportViewProps) {
  const shown = report.results.filter(
    ({ status }) => !onlyFailing || status === 'fail' || status === 'warn',
  )
  if (report.unreachable) {
    return <p class="form-error">Nothing answers at {report.target}. Is the endpoint running?</p>
  }
  if (shown.length === 0) return <p class="list-nothing">Nothing needs work.</p>
  const groups = [...Map.groupBy(shown, ({ group }) => group)]
  return (
    <>
      {groups.map(([group, results]) => (
        <section class="detail-part" key={group} aria-label={group}>
          <h3 class="group-title">{group}</h3>
          <ul class="rules">
            {results.map((result) => (
              <Rule key={result.rule} result={result} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Rule({ result }: { readonly result: RuleResult }) {
  const { rule, status, level, title, findings, reason, contract } = result
  return (
    <li class={`rule rule-${status}`}>
      <span class={`status status-word-${status}`}>{WORDS[status]}</span>
      <div class="rule-main">
        <p class="rule-title">
          <InlineCode text={title} /> <span class={`level level-${level}`}>{level}</span>
        </p>
        {findings.length === 0 && reason !== undefined && <p class="muted">{reason}</p>}
        {findings.map((finding, index) => (
          <div class="rule-finding" key={index}>
            <p class="finding-message" dir="auto">
              {finding.path !== undefined && <code>{finding.path} </code>}
              {finding.message}
            </p>
            <p class="finding-fix">{finding.fix}</p>
          </div>
        ))}
        {findings.length > 0 && (
          <p class="rule-contract">
            The contract: <InlineCode text={contract} />
          </p>
        )}
      </div>
      <RuleId id={rule} />
    </li>
  )
}
