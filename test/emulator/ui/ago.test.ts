import { expect, test } from 'vitest'
import { ago } from '../../../src/emulator/ui/issues/ago.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

test.each([
  ['2026-11-21T11:59:30Z', 'now'],
  ['2026-11-21T12:05:00Z', 'now'],
  ['2026-11-21T11:55:00Z', '5m'],
  ['2026-11-21T09:00:00Z', '3h'],
  ['2026-11-19T12:00:00Z', '2d'],
  ['not a time', ''],
])('%s is said as "%s"', (at, said) => {
  expect(ago(at, NOW)).toBe(said)
})

test('what is older than a week is said as a date', () => {
  expect(ago('2026-11-03T12:00:00Z', NOW)).toMatch(/3/)
})
