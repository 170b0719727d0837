import type { Report, RuleResult, RuleStatus } from '../../check/report.ts'
import { FormError } from '../parts/field.tsx'
import { InlineCode } from '../parts/inline-code.tsx'
import { RuleId } from '../parts/rule-id.tsx'
import { classes } from '../core/classes.ts'
import findingsStyle from '../parts/findings.module.css'
import layoutStyle from '../parts/layout.module.css'
import statusStyle from '../parts/status.module.css'
import checksStyle from './checks.module.css'

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
    return <FormError text={`Cannot reach ${report.target}. Is the endpoint running?`} />
  }
  if (shown.length === 0) return <p class={layoutStyle['list-nothing']}>No failures or warnings.</p>
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
    <details class={layoutStyle['detail-part']} open={failed + warned > 0}>
      <summary class={checksStyle['group-summary']}>
        <h3 class={checksStyle['group-title']}>{name}</h3>
        {failed > 0 && (
          <span class={classes(statusStyle.count, statusStyle['count-bad'])}>{failed} failed</span>
        )}
        {warned > 0 && (
          <span class={classes(statusStyle.count, statusStyle['count-warn'])}>
            {warned} {warned === 1 ? 'warning' : 'warnings'}
          </span>
        )}
        {passed > 0 && (
          <span class="muted">
            {passed} of {results.length} passed
          </span>
        )}
      </summary>
      <ul class={checksStyle.rules}>
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
    <li class={classes(checksStyle.rule, checksStyle[`rule-${status}`])}>
      <span class={classes(checksStyle.status, checksStyle[`status-word-${status}`])}>
        {WORDS[status]}
      </span>
      <div class={checksStyle['rule-main']}>
        <p class={checksStyle['rule-title']}>
          <InlineCode text={title} />{' '}
          <span class={classes(findingsStyle.level, findingsStyle[`level-${level}`])}>{level}</span>
        </p>
        {findings.length === 0 && reason !== undefined && <p class="muted">{reason}</p>}
        {findings.map((finding, index) => (
          <div class={checksStyle['rule-finding']} key={index}>
            <p class={findingsStyle['finding-message']} dir="auto">
              {finding.path !== undefined && <code>{finding.path} </code>}
              {finding.message}
            </p>
            <p class={findingsStyle['finding-fix']}>{finding.fix}</p>
          </div>
        ))}
        {findings.length > 0 && (
          <p class={checksStyle['rule-contract']}>
            The contract: <InlineCode text={contract} />
          </p>
        )}
      </div>
      <RuleId id={rule} />
    </li>
  )
}
