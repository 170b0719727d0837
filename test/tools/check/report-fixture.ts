import type { Report } from 'sidecard/check'
import { PLAIN, type Palette } from '../../../src/tools/internal/palette.ts'

/** One result of a report. */
export const rule = (name: string, group: string, status: string, findings: object[] = []) => ({
  rule: name,
  group,
  level: status === 'warn' ? 'SHOULD' : 'MUST',
  title: `The title of ${name}`,
  isAdvice: status === 'warn',
  status,
  findings,
  ...(status === 'skip' && { reason: 'no secret was passed' }),
  contract: `What the contract says about ${name}.`,
  explain: `sidecard check --explain ${name}`,
})

const found = (index: number) => ({
  path: `components[${index}]`,
  message: 'has no type, which makes a widget an error state for every agent who opens the issue',
  fix: 'Add a type.',
})

/** A report with a result of each status. */
export const REPORT = {
  version: 2,
  verdict: 'violates',
  target: 'https://app.example/billing',
  startedAt: '2026-11-21T09:30:00.000Z',
  durationMs: 1_234,
  requests: 7,
  unreachable: false,
  onlyCards: false,
  rateLimited: false,
  partial: false,
  publicData: false,
  results: [
    rule('handshake-status', 'handshake', 'pass'),
    rule('handshake-code', 'handshake', 'skip'),
    rule('component-type', 'components', 'fail', [0, 1, 2, 3, 4, 5, 6].map(found)),
    rule('label-unique', 'components', 'warn', [{ message: 'repeats', fix: 'Rename | it.' }]),
    rule('uri', 'components', 'known', [{ ...found(9), message: `<b> & \`x\` "it's"` }]),
  ],
  summary: { pass: 1, fail: 1, warn: 1, skip: 1, not_applicable: 0, known: 1 },
  unproven: [],
  stale: ['date-time'],
  failures: [],
  timings: {
    handshake: {
      count: 2,
      p50Ms: 11,
      p95Ms: 12,
      p99Ms: 13,
      maxMs: 14,
    },
    data: { count: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 },
  },
} as unknown as Report

/** A palette that shows which color a text has. */
export const MARKS = Object.fromEntries(
  Object.keys(PLAIN).map((color) => [color, (text: string) => `${color}(${text})`]),
) as unknown as Palette

/** The report of an endpoint that conforms. */
export const CLEAN: Report = {
  ...REPORT,
  verdict: 'conforms',
  results: REPORT.results.slice(0, 2),
  summary: { pass: 1, fail: 0, warn: 0, skip: 1, not_applicable: 0, known: 0 },
  stale: [],
  durationMs: 12_345,
}
