import { escapeForDisplay } from '../../../internal/escape-for-display.ts'
import { escapeHtml } from '../../../../runtime/render/escape-html.ts'
import { formatViolation } from '../../../service/response-rule.ts'
import { exitCodeOf, type Report, type ReportOptions, type RuleResult } from '../report.ts'
import { describeVerdict, failsRun } from './verdict-text.ts'

/** A case of a suite, and the element in it unless it passed. */
interface TestCase {
  readonly name: string
  readonly element?: string
}

/**
 * Formats a report as JUnit XML: a suite for each group, a case for each rule,
 * and one for the verdict. Text from the endpoint is escaped, including
 * characters that XML 1.0 forbids.
 */
export function junitReport(report: Report, options: ReportOptions): string {
  const { headline } = describeVerdict(report, options)
  // A run without evidence fails no rule, but must not pass.
  const verdict =
    exitCodeOf(report, options) === 0
      ? { name: `${report.verdict}: ${headline}` }
      : failed(report.verdict, headline)
  const groups = Map.groupBy(report.results, ({ group }) => group)
  const suites: ReadonlyArray<readonly [name: string, cases: readonly TestCase[]]> = [
    ...Array.from(groups, ([group, results]) => {
      return [group, results.map((result) => toCase(result, options))] as const
    }),
    ...report.stale.map((name) => {
      return ['baseline', [failed(name, 'passes now: remove it from the baseline')]] as const
    }),
    ['verdict', [verdict]],
  ]
  const cases = suites.flatMap(([, list]) => list)
  const attributes = [
    `name="sidecard check ${escape(report.target)}"`,
    `tests="${cases.length}"`,
    `failures="${count(cases, 'failure')}"`,
    `time="${(report.durationMs / 1_000).toFixed(3)}"`,
    `timestamp="${escape(report.startedAt)}"`,
  ]
  const lines = suites.flatMap(([name, list]) => suiteLines(name, list))
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes.join(' ')}>`, ...lines, '</testsuites>'].join('\n')}\n`
}

function suiteLines(suite: string, cases: readonly TestCase[]): readonly string[] {
  return [
    `  <testsuite name="${suite}" tests="${cases.length}" failures="${count(cases, 'failure')}" skipped="${count(cases, 'skipped')}">`,
    ...cases.flatMap(({ name, element }) => {
      const open = `    <testcase classname="sidecard.${suite}" name="${escape(name)}"`
      return element === undefined
        ? [`${open}/>`]
        : [`${open}>`, `      ${element}`, '    </testcase>']
    }),
    '  </testsuite>',
  ]
}

function count(cases: readonly TestCase[], element: 'failure' | 'skipped'): number {
  return cases.filter((each) => each.element?.startsWith(`<${element} `)).length
}

function failed(name: string, message: string): TestCase {
  return { name, element: `<failure message="${escape(message)}"/>` }
}

function toCase(result: RuleResult, options: ReportOptions): TestCase {
  const { status, level, findings, title } = result
  const name = `${result.rule}: ${title}`
  if (status === 'pass') return { name }
  if (status === 'skip' || status === 'not_applicable') {
    return { name, element: `<skipped message="${escape(result.reason ?? '')}"/>` }
  }
  const found = findings.flatMap((each) => [formatViolation(each), `fix: ${each.fix}`])
  const lines = [...found, `contract: ${result.contract}`, `see: ${result.explain}`]
  const details = escape(lines.join('\n'))
  if (!failsRun(result, options)) return { name, element: `<system-out>${details}</system-out>` }
  const message = escape(found[0] ?? title)
  return { name, element: `<failure type="${level}" message="${message}">${details}</failure>` }
}

/** Escapes characters that XML forbids, except for line breaks. */
function escape(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeHtml(escapeForDisplay(line, 2_000)))
    .join('\n')
}
