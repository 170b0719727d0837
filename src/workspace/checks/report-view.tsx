import { FindingText, Level } from '../parts/finding-list.tsx'
import type { Report, RuleResult, RuleStatus } from '../../check/report.ts'
import { formatSummary, toVerdictText } from '../../check/reporters/verdict-text.ts'
import { classes } from '../core/classes.ts'
import { Icon } from '../parts/icon.tsx'
import { InlineCode } from '../parts/inline-code.tsx'
import layoutStyle from '../parts/layout.module.css'
import { RuleId } from '../parts/rule-id.tsx'
import style from './checks.module.css'

interface ReportViewProps {
  readonly report: Report
  /** The customer whose IDs were sent. */
  readonly checkedAs: string
}

/** The checker's own headline names an option of the CLI. */
const NO_CUSTOMER_DATA =
  'No customer data was checked: every data fetch returned a card such as “Customer not found”. Choose another customer under Check as.'

/** A report: the verdict, what to fix, and everything else as compact lists. */
export function ReportView({ report, checkedAs }: ReportViewProps) {
  const { tone, headline } = toVerdictText(report, { strict: false, allowUnproven: true })
  const only = (status: RuleStatus) => report.results.filter((result) => result.status === status)
  return (
    <>
      <section class={classes(style.banner, style[`banner-${tone}`])} aria-label="Verdict">
        <Icon name={tone === 'good' ? 'check' : 'alert'} />
        <div>
          <p class={style.headline}>
            {report.verdict === 'no_customer_data' ? NO_CUSTOMER_DATA : headline}
          </p>
          <p>
            Checked as <strong dir="auto">{checkedAs}</strong>
            {` · ${formatSummary(report)} · ${report.requests} requests in ${(report.durationMs / 1000).toFixed(1)} s`}
          </p>
          {report.unreachable && <p>{report.target} did not respond. Is the endpoint running?</p>}
        </div>
      </section>
      {(['fail', 'warn', 'known'] as const).map((status) => (
        <Problems key={status} results={only(status)} status={status} />
      ))}
      <Compact title="Passed" results={only('pass')} />
      <Compact title="Skipped" results={only('skip')} />
    </>
  )
}

const TITLES = { fail: 'Failed', warn: 'Warnings', known: 'Known failures' } as const

interface ProblemsProps {
  readonly results: readonly RuleResult[]
  readonly status: keyof typeof TITLES
}

function Problems({ results, status }: ProblemsProps) {
  if (results.length === 0) return null
  return (
    <section class={layoutStyle['detail-part']} aria-label={TITLES[status]}>
      <h3 class={style[`title-${status}`]}>
        {TITLES[status]} ({results.length})
      </h3>
      <ul>
        {results.map((result) => (
          <li key={result.rule} data-status={status}>
            <details class={style.problem} open={status === 'fail'}>
              <summary>
                <InlineCode text={result.title} /> <Level level={result.level} />
              </summary>
              {result.findings.map((finding, index) => (
                <FindingText key={index} {...finding} />
              ))}
              <p class="hint">
                The contract: <InlineCode text={result.contract} /> <RuleId id={result.rule} />
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CompactProps {
  readonly title: string
  readonly results: readonly RuleResult[]
}

/** Rules that need no work, one line each. */
function Compact({ title, results }: CompactProps) {
  if (results.length === 0) return null
  return (
    <details class={layoutStyle['detail-part']}>
      <summary class={style.summary}>
        {title} ({results.length})
      </summary>
      <ul>
        {results.map(({ rule, title: text, reason, status }) => (
          <li key={rule} class={style.line} data-status={status}>
            <span>
              <InlineCode text={text} />
              {reason !== undefined && <span class="muted">: {reason}</span>}
            </span>
            <RuleId id={rule} />
          </li>
        ))}
      </ul>
    </details>
  )
}
