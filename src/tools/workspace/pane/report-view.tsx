import { FindingText } from '../parts/findings/finding-list.tsx'
import { Level } from '../parts/findings/level.tsx'
import type { Report, RuleResult, RuleStatus, Unproven } from '../../check/report/report.ts'
import { formatSummary, describeVerdict } from '../../check/report/reporters/verdict-text.ts'
import { classes } from '../core/classes.ts'
import { Icon } from '../parts/forms/icon.tsx'
import { InlineCode } from '../parts/code/inline-code.tsx'
import layoutStyle from '../parts/layout.module.css'
import { RuleId } from '../parts/findings/rule-id.tsx'
import style from './checks.module.css'

interface ReportViewProps {
  readonly report: Report
  /** The customer whose IDs were sent. */
  readonly checkedAs: string
}

const CUSTOMERS =
  'In sidecard.json, give two customers `shows`: texts that only their sidebar shows.'
const SECRET = 'Require a secret, and add it to the headers of the app.'

/** The input that would prove a rule, because the checker's own texts name options of the CLI. */
const PROOFS: Readonly<Record<string, string>> = {
  'security-isolation': CUSTOMERS,
  'auth-rejection-data': CUSTOMERS,
  'security-unknown':
    'In sidecard.json, give `unknown` the texts that an unknown customer sees: `"unknown": { "shows": ["…"] }`.',
}
const NO_CUSTOMER_DATA =
  'Every data fetch returned a card such as “Customer not found”. Open an issue of another customer, or add customers to sidecard.json.'

/** A report: the verdict, the problems to fix, and everything else as compact lists. */
export function ReportView({ report, checkedAs }: ReportViewProps) {
  const { tone, headline } = describeVerdict(
    { ...report, unproven: [] },
    { strict: false, allowUnproven: true },
  )
  return (
    <>
      <section class={classes(style.banner, style[`banner-${tone}`])} aria-label="Verdict">
        <Icon name={tone === 'good' ? 'check' : 'alert'} size={20} />
        <div>
          <p class="lead">{headline}</p>
          {report.unproven.map((open) => (
            <p key={open.rule ?? open.reason}>
              Not proven: {open.reason}. <InlineCode text={toProof(open)} />
            </p>
          ))}
          {report.onlyCards && <p>{NO_CUSTOMER_DATA}</p>}
          <p>
            Checked as <strong dir="auto">{checkedAs}</strong>
            {` · ${formatSummary(report)} · ${report.requests} requests in ${(report.durationMs / 1000).toFixed(1)} s`}
          </p>
          {report.unreachable && <p>{report.target} did not respond. Is the endpoint running?</p>}
        </div>
      </section>
      {GROUPS.map(([status, title]) => (
        <Results
          key={status}
          title={title}
          status={status}
          results={report.results.filter((result) => result.status === status)}
        />
      ))}
    </>
  )
}

function toProof({ rule, proof }: Unproven): string {
  if (rule === undefined) return ''
  // Only the texts about secrets and customers name options of the CLI.
  return PROOFS[rule] ?? (proof.includes('-H') ? SECRET : `To prove it, ${proof}.`)
}

/** The groups of results. Rules that need work come first. */
const GROUPS = [
  ['fail', 'Failed'],
  ['warn', 'Warnings'],
  ['known', 'Known failures'],
  ['pass', 'Passed'],
  ['skip', 'Skipped'],
  ['not_applicable', 'Not applicable'],
] as const

/** The lists that are closed at first. */
const CLOSED: ReadonlySet<RuleStatus> = new Set(['pass', 'skip', 'not_applicable'])

const TONES: Partial<Record<RuleStatus, string>> = {
  fail: 'tone-bad',
  warn: 'tone-warn',
  known: 'tone-warn',
}

interface ResultsProps {
  readonly title: string
  readonly status: RuleStatus
  readonly results: readonly RuleResult[]
}

/** The rules with one status. The list of failures is open. */
function Results({ title, status, results }: ResultsProps) {
  if (results.length === 0) return null
  return (
    <section class={layoutStyle['detail-part']} aria-label={title}>
      <details open={!CLOSED.has(status)}>
        <summary class={classes('strong', TONES[status])}>
          {title} ({results.length})
        </summary>
        <ul>
          {results.map(({ rule, level, title: text, reason, contract, findings }) => (
            <li key={rule} data-status={status}>
              <details class={style.result} open={status === 'fail'}>
                <summary>
                  <InlineCode text={text} />{' '}
                  {reason === undefined ? (
                    findings.length > 0 && <Level level={level} />
                  ) : (
                    <span class="muted">{reason}</span>
                  )}
                </summary>
                {findings.map((finding, index) => (
                  <FindingText key={index} {...finding} />
                ))}
                <p class="hint">
                  The contract: <InlineCode text={contract} /> <RuleId id={rule} />
                </p>
              </details>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
