import { describe, expect, it, test } from 'vitest'
import { describeVerdict } from '../../../src/tools/check/report/reporters/verdict-text.ts'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { formatReport } from '../../../src/tools/check/report/reporters/index.ts'
import type { Report, Verdict } from 'sidecard/check'
import { CLEAN, REPORT, rule } from './report-fixture.ts'

test('a strict report fails because of warnings, except for advice', () => {
  const warning = {
    ...rule('uri', 'components', 'warn', [{ message: '', fix: 'F.' }]),
    isAdvice: false,
  }
  const advice = rule('label-unique', 'components', 'warn', [{ message: 'M', fix: 'F.' }])
  const report = { ...CLEAN, results: [warning, advice] } as unknown as Report
  expect(exitCodeOf(report)).toBe(0)
  expect(exitCodeOf(report, { strict: true })).toBe(1)
  expect(exitCodeOf({ ...report, results: report.results.slice(1) }, { strict: true })).toBe(0)
  const failures = (strict: boolean) =>
    Array.from(
      formatReport(report, 'junit', { strict }).matchAll(/failures="(\d)"/g),
      ([, count]) => count,
    )
  expect(failures(false)).toEqual(['0', '0', '0'])
  expect(failures(true)).toEqual(['2', '1', '1'])
})

describe('a verdict in words', () => {
  const ROWS: ReadonlyArray<readonly [Verdict, Partial<Report>, string, string, number, number]> = [
    ['conforms', {}, 'The endpoint conforms to the contract.', 'good', 0, 0],
    ['conforms', { partial: true }, 'The selected rules passed.', 'good', 0, 0],
    [
      'violates',
      { summary: REPORT.summary, results: REPORT.results },
      'The endpoint violates the contract.',
      'bad',
      1,
      1,
    ],
    [
      'violates',
      { summary: REPORT.summary, results: REPORT.results, partial: true },
      'The endpoint violates selected rules.',
      'bad',
      1,
      1,
    ],
    ['violates', {}, 'The baseline is stale.', 'bad', 1, 1],
    ['not_proven', { unreachable: true }, 'The endpoint is unreachable.', 'bad', 3, 3],
    [
      'not_proven',
      { unproven: [{ rule: 'security-isolation', reason: 'one customer', proof: 'pass two' }] },
      'The endpoint is not proven to conform to the contract. Not proven: security-isolation, because one customer. To prove it, pass two.',
      'bad',
      1,
      1,
    ],
    [
      'violates',
      {
        summary: REPORT.summary,
        results: REPORT.results,
        unproven: [{ reason: 'no customer data was checked', proof: 'pass one' }],
      },
      'The endpoint violates the contract. Not proven: no customer data was checked. To prove it, pass one.',
      'bad',
      1,
      1,
    ],
  ]

  it.each(ROWS)('%s %j: %s', (verdict, change, headline, tone, exitCode, strictCode) => {
    const report: Report = { ...CLEAN, ...change, verdict }
    expect(describeVerdict(report)).toEqual({ headline, tone })
    expect(exitCodeOf(report)).toBe(exitCode)
    expect(exitCodeOf(report, { strict: true })).toBe(strictCode)
    const isUnproven = verdict === 'not_proven' && !report.unreachable
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(isUnproven ? 0 : exitCode)
    const level = { good: 'notice', caution: 'warning', bad: 'error' }[tone]
    expect(formatReport(report, 'github')).toContain(`::${level} title=sidecard check::`)
  })

  it('does not call a failed rule beyond the contract a violation of it', () => {
    const overBudget = { ...rule('latency-budget', 'latency', 'fail'), level: 'ASSUMED' }
    const report = { ...CLEAN, verdict: 'violates', summary: REPORT.summary, results: [overBudget] }
    expect(describeVerdict(report as unknown as Report)).toEqual({
      headline: 'The endpoint fails rules beyond the contract.',
      tone: 'bad',
    })
  })

  it('names warnings that fail a strict run', () => {
    const warning = { ...rule('uri', 'components', 'warn'), isAdvice: false }
    const report = { ...CLEAN, results: [warning] } as unknown as Report
    expect(describeVerdict(report, { strict: true })).toEqual({
      headline: 'The endpoint has warnings, which fail a strict run.',
      tone: 'bad',
    })
  })
})
