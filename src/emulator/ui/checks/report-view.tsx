import type { Report, RuleResult, RuleStatus } from '../../../check/report.ts'
import { InlineCode } from '../parts/inline-code.tsx'
import { RuleId } from '../parts/rule-id.tsx'

interface ReportViewProps {
  readonly report: Report
  /** Hides passed and skipped rules. */
  readonly onlyFailing: boolean
}

const WORDS: Record<RuleStatus, string> = {
  pass: 'Pass',
  fail: 'Fail',
  warn: 'Warn',
  skip: 'Skip',
  known: 'Known',
}

/** A report with its rules by group. */
export function ReportView({ report, onlyFailing }: ReportViewProps) {
  const shown = report.results.filter(
    ({ status }) => !onlyFailing || status === 'fail' || status === 'warn',
  )
  if (report.unreachable) {
    return <p class="form-error">Cannot reach {report.target}. Is the endpoint running?</p>
  }
  if (shown.length === 0) return <p class="list-nothing">No failures or warnings.</p>
  const groups = [...Map.groupBy(shown, ({ group }) => group)]
  return (
    <>
      {groups.map(([group, results]) => (
        <Group key={group} name={group} results={results} />
      ))}
    </>
  )
}

/** A group of rules. It is open if it has failures or warnings. */
function Group({ name, results }: { name: string; results: readonly RuleResult[] }) {
  const count = (status: RuleStatus) => results.filter((result) => result.status === status).length
  const [failed, warned, passed] = [count('fail'), count('warn'), count('pass')]
  return (
    <details class="detail-part" open={failed + warned > 0}>
      <summary class="group-summary">
        <h3 class="group-title">{name}</h3>
        {failed > 0 && <span class="count count-bad">{failed} failed</span>}
        {warned > 0 && (
          <span class="count count-warn">
            {warned} {warned === 1 ? 'warning' : 'warnings'}
          </span>
        )}
        {passed > 0 && (
          <span class="muted">
            {passed} of {results.length} passed
          </span>
        )}
      </summary>
      <ul class="rules">
        {results.map((result) => (
          <Rule key={result.rule} result={result} />
        ))}
      </ul>
    </details>
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
