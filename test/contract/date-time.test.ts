import { expect, test } from 'vitest'
import { isDateTime } from '../../src/contract/date-time.ts'

test('accepts a leap second only in the last minute of a UTC month', () => {
  expect(isDateTime('1998-12-31T15:59:60.123-08:00')).toBe(true)
  expect(isDateTime('1998-12-31T22:59:60Z')).toBe(false)
})
