import { printable } from '../../internal/printable.ts'
import type { Finding } from '../../desk/rules/rule.ts'
import type { Report, RuleResult, Verdict } from '../report.ts'
import { GROUPS } from '../rules/index.ts'

/**
 * A report as JUnit XML: a suite for each group, a case for each rule. What an
 * endpoint sent is escaped, and holds no character that XML 1.0 forbids.
 */
export function junitReport(report: Report, { strict = false }: Verdict = {}): string {
  const suites = GROUPS.flatMap((group) => {
    const results = report.results.filter((result) => result.group === group)
    return results.length === 0 ? [] : suite(group, results, strict)
  })
  const stale = report.stale.map(
    (id) =>
      `  <testsuite name="baseline" tests="1" failures="1" skipped="0">\n    <testcase classname="sidecard.baseline" name="${escape(id)}">\n      <failure message="kept now: take it out of the baseline"/>\n    </testcase>\n  </testsuite>`,
  )
  const failures = report.results.filter((result) => isFailure(result, strict)).length
  const attributes = [
    `name="sidecard check ${escape(report.target)}"`,
    `tests="${report.results.length + report.stale.length}"`,
    `failures="${failures + report.stale.length}"`,
    `time="${(report.durationMs / 1_000).toFixed(3)}"`,
    `timestamp="${escape(report.startedAt)}"`,
  ]
  return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes.join(' ')}>`, ...suites, ...stale, '</testsuites>'].join('\n')}\n`
}

function suite(group: string, results: readonly RuleResult[], strict: boolean): string[] {
  const failures = results.filter((result) => isFailure(result, strict)).length
  const skips = results.filter(({ status }) => status === 'skip').length
  return [
    `  <testsuite name="${group}" tests="${results.length}" failures="${failures}" skipped="${skips}">`,
    ...results.flatMap((result) => testCase(result, strict)),
    '  </testsuite>',
  ]
}

function testCase(result: RuleResult, strict: boolean): string[] {
  const open = `    <testcase classname="sidecard.${result.group}" name="${escape(result.rule)}: ${escape(result.title)}"`
  if (result.status === 'pass') return [`${open}/>`]
  const inside =
    result.status === 'skip'
      ? [`      <skipped message="${escape(result.reason ?? '')}"/>`]
      : isFailure(result, strict)
        ? [failureElement(result)]
        : [`      <system-out>${escape(details(result))}</system-out>`]
  return [`${open}>`, ...inside, '    </testcase>']
}

function failureElement(result: RuleResult): string {
  const [first] = result.findings
  const message = escape(first === undefined ? result.title : sentence(first))
  return `      <failure type="${result.level}" message="${message}">${escape(details(result))}</failure>`
}

function details(result: RuleResult): string {
  const found = result.findings.flatMap((each) => [sentence(each), `fix: ${each.fix}`])
  return [...found, `contract: ${result.contract}`, `see: ${result.docs}`].join('\n')
}

function sentence({ path, message }: Finding): string {
  return path === undefined ? message : `${path}: ${message}`
}

function isFailure({ status }: RuleResult, strict: boolean): boolean {
  return status === 'fail' || (strict && status === 'warn')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Lines stay lines; everything else that XML forbids was turned into an escape. */
function escape(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, 2_000).replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? ''))
    .join('\n')
}
