import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import type { Finding } from '../../service/rules/rule.ts'
import { toExitCode } from '../report.ts'
import type { Report, ReportSettings, RuleResult } from '../report.ts'
import { GROUPS } from '../rules/index.ts'
import { toVerdictText, failsRun } from './verdict-text.ts'

/**
 * Formats a report as JUnit XML: a suite for each group, a case for each rule,
 * and one for the verdict. Text from the endpoint is escaped, including
 * characters that XML 1.0 forbids.
 */
export function junitReport(report: Report, settings: ReportSettings): string {
  const suites = GROUPS.flatMap((group) => {
    const results = report.results.filter((result) => result.group === group)
    return results.length === 0 ? [] : suite(group, results, settings)
  })
  const stale = report.stale.map(
    (id) =>
      `  <testsuite name="baseline" tests="1" failures="1" skipped="0">\n    <testcase classname="sidecard.baseline" name="${escape(id)}">\n      <failure message="passes now: remove it from the baseline"/>\n    </testcase>\n  </testsuite>`,
  )
  const failures = report.results.filter((result) => failsRun(result, settings)).length
  const passed = toExitCode(report, settings) === 0
  const attributes = [
    `name="sidecard check ${escape(report.target)}"`,
    `tests="${report.results.length + report.stale.length + 1}"`,
    `failures="${failures + report.stale.length + (passed ? 0 : 1)}"`,
    `time="${(report.durationMs / 1_000).toFixed(3)}"`,
    `timestamp="${escape(report.startedAt)}"`,
  ]
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes.join(' ')}>`, ...suites, ...stale, ...verdictSuite(report, passed, settings), '</testsuites>'].join('\n')}\n`
}

function suite(group: string, results: readonly RuleResult[], settings: ReportSettings): string[] {
  const failures = results.filter((result) => failsRun(result, settings)).length
  const skips = results.filter(({ status }) => status === 'skip').length
  return [
    `  <testsuite name="${group}" tests="${results.length}" failures="${failures}" skipped="${skips}">`,
    ...results.flatMap((result) => testCase(result, settings)),
    '  </testsuite>',
  ]
}

/**
 * Returns the suite with the verdict, because a run without evidence fails no
 * rule, but must not pass.
 */
function verdictSuite(report: Report, passed: boolean, settings: ReportSettings): string[] {
  const headline = escape(toVerdictText(report, settings).headline)
  return [
    `  <testsuite name="verdict" tests="1" failures="${passed ? 0 : 1}" skipped="0">`,
    passed
      ? `    <testcase classname="sidecard.verdict" name="${report.verdict}: ${headline}"/>`
      : `    <testcase classname="sidecard.verdict" name="${report.verdict}">\n      <failure message="${headline}"/>\n    </testcase>`,
    '  </testsuite>',
  ]
}

function testCase(result: RuleResult, settings: ReportSettings): string[] {
  const open = `    <testcase classname="sidecard.${result.group}" name="${escape(result.rule)}: ${escape(result.title)}"`
  if (result.status === 'pass') return [`${open}/>`]
  const inside =
    result.status === 'skip'
      ? [`      <skipped message="${escape(result.reason ?? '')}"/>`]
      : failsRun(result, settings)
        ? [failureElement(result)]
        : [`      <system-out>${escape(details(result))}</system-out>`]
  return [`${open}>`, ...inside, '    </testcase>']
}

function failureElement(result: RuleResult): string {
  const [first] = result.findings
  const message = escape(first === undefined ? result.title : formatFinding(first))
  return `      <failure type="${result.level}" message="${message}">${escape(details(result))}</failure>`
}

function details(result: RuleResult): string {
  const found = result.findings.flatMap((each) => [formatFinding(each), `fix: ${each.fix}`])
  return [...found, `contract: ${result.contract}`, `see: ${result.explain}`].join('\n')
}

function formatFinding({ path, message }: Finding): string {
  return path === undefined ? message : `${path}: ${message}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes characters that XML forbids, except for line breaks. */
function escape(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      escapeForDisplay(line, 2_000).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? ''),
    )
    .join('\n')
}
