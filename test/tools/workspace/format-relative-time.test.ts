import { expect, test } from 'vitest'
import { formatRelativeTime } from '../../../src/tools/workspace/issues/format-relative-time.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:30Z', 'now'],
  ['2026-11-21T12:05:00Z', 'now'],
  ['2026-11-21T11:55:00Z', '5m'],
  ['2026-11-21T09:00:00Z', '3h'],
  ['2026-11-19T12:00:00Z', '2d'],
  ['not a time', ''],
])('formats %s as "%s"', (at, said) => {
  expect(formatRelativeTime(at, NOW)).toBe(said)
})

test('formats times older than a week as a date', () => {
  expect(formatRelativeTime('2026-11-03T12:00:00Z', NOW)).toMatch(/3/)
})
