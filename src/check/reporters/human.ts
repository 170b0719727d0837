import { exitCodeOf } from '../report.ts'
import type { Report, RuleResult, RuleStatus, Timing } from '../report.ts'
import { GROUPS } from '../rules/index.ts'
import { PLAIN } from './palette.ts'
import type { Palette } from './palette.ts'
import { wrap } from './wrap.ts'

/** How a report is written for a person. */
export interface HumanOptions {
  readonly palette?: Palette
  /** Columns. @default 100 */
  readonly width?: number
  /** Warnings fail, too. @default false */
  readonly strict?: boolean
}

/** The most findings of one rule that are shown. */
const MAX_SHOWN = 5

/** A report as a table by group, with what went wrong below its group. */
export function humanReport(report: Report, options: HumanOptions = {}): string {
  const { palette = PLAIN, width = 100, strict = false } = options
  const groups = GROUPS.map((group) => report.results.filter((result) => result.group === group))
  const lines = [
    `${palette.bold(report.target)}  ${palette.dim(`${report.requests} requests in ${seconds(report.durationMs)}`)}`,
    '',
    ...groups.flatMap((results) => groupLines(results, palette, width)),
    '',
    ...timingLines(report, palette),
    ...report.stale.map(
      (id) => `${palette.red('✗')} ${id} is kept now: take it out of the baseline.`,
    ),
    verdictLine(report, palette, strict),
  ]
  const first = report.results.find(({ status }) => status === 'fail' || status === 'warn')
  if (first !== undefined && !report.unreachable) {
    lines.push(palette.dim(`More about a rule: sidecard check --explain ${first.rule}`))
  }
  return `${lines.join('\n')}\n`
}

function groupLines(results: readonly RuleResult[], palette: Palette, width: number): string[] {
  const [first] = results
  if (first === undefined) return []
  const counts = STATUSES.flatMap((status) => {
    const count = results.filter((result) => result.status === status).length
    return count === 0 ? [] : [`${mark(status, palette)} ${count} ${WORDS[status]}`]
  })
  const spoken = results.filter(({ findings }) => findings.length > 0)
  return [
    `  ${palette.bold(first.group.padEnd(16))}${counts.join('   ')}`,
    ...spoken.flatMap((result) => resultLines(result, palette, width)),
    ...(spoken.length > 0 ? [''] : []),
  ]
}

function resultLines(result: RuleResult, palette: Palette, width: number): string[] {
  const indent = '        '
  const shown = result.findings.slice(0, MAX_SHOWN)
  const hidden = result.findings.length - shown.length
  const fixes = new Set(shown.map(({ fix }) => fix))
  const labelled = (label: string, text: string) =>
    `${indent}${palette.dim(label.padEnd(9))}${wrap(text, width, `${indent}         `)}`
  return [
    `    ${mark(result.status, palette)} ${palette.bold(result.rule)}  ${result.title}`,
    ...shown.map(({ path, message }) => {
      const where = path === undefined ? '' : `${palette.cyan(path)}  `
      return `${indent}${where}${wrap(message, width, indent)}`
    }),
    ...(hidden > 0 ? [`${indent}${palette.dim(`and ${hidden} more`)}`] : []),
    labelled('contract', result.contract),
    ...[...fixes].map((fix) => labelled('fix', fix)),
  ]
}

function timingLines({ timings }: Report, palette: Palette): string[] {
  const lines = Object.entries(timings)
    .filter(([, timing]) => timing.count > 0)
    .map(([name, timing]) => `  ${palette.dim(timingLine(name, timing))}`)
  return lines.length === 0 ? [] : [...lines, '']
}

function timingLine(name: string, { count, medianMs, slowestMs }: Timing): string {
  return `${name.padEnd(10)} median ${medianMs} ms, slowest ${slowestMs} ms of ${count}`
}

function verdictLine(report: Report, palette: Palette, strict: boolean): string {
  if (report.unreachable) return palette.red(palette.bold('Nothing answers at the address.'))
  const { summary } = report
  const counts = STATUSES.filter((status) => summary[status] > 0)
    .map((status) => `${summary[status]} ${WORDS[status]}`)
    .join(', ')
  return exitCodeOf(report, { strict }) === 0
    ? `${palette.green(palette.bold('The endpoint keeps the contract.'))} ${counts}.`
    : `${palette.red(palette.bold('The endpoint breaks the contract.'))} ${counts}.`
}

const STATUSES: readonly RuleStatus[] = ['fail', 'warn', 'known', 'pass', 'skip']

const WORDS: Readonly<Record<RuleStatus, string>> = {
  fail: 'failed',
  warn: 'to look at',
  known: 'known to fail',
  pass: 'passed',
  skip: 'not judged',
}

function mark(status: RuleStatus, palette: Palette): string {
  if (status === 'pass') return palette.green('✓')
  if (status === 'fail') return palette.red('✗')
  if (status === 'warn') return palette.yellow('!')
  return palette.dim(status === 'known' ? '≈' : '–')
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`
}
