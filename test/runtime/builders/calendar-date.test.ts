import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarDate } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

describe('calendarDate()', () => {
  test('formats a date in the locale, English by default', () => {
    expect(calendarDate('2026-11-21')).toBe('Nov 21, 2026')
    expect(calendarDate('2026-11-21', 'de')).toBe('21.11.2026')
    expect(calendarDate('2024-02-29', 'en-GB')).toBe('29 Feb 2024')
    expect(calendarDate('2026-11-21', 'xx')).toBe('Nov 21, 2026')
  })

  test('reads local midnight and UTC midnight as the day that was stored', () => {
    expect(calendarDate(new Date(2026, 10, 21))).toBe('Nov 21, 2026')
    expect(calendarDate(new Date('2026-11-21'))).toBe('Nov 21, 2026')
  })

  test.each([
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '21.11.2026',
    '',
    '2026-11-21T00:00:00Z',
    '2026-11-21 00:00:00',
    '+002026-11-21',
  ])('rejects %j', (value) => {
    const [issue] = catchInvalid(() => calendarDate(value)).issues
    expect(issue).toMatchObject({ path: 'value', code: 'invalid_date_time' })
  })

  test.each([
    [new Date('nonsense'), 'is an invalid Date'],
    [new Date('2026-11-21T13:37:01Z'), 'is a Date with a time of day'],
    [Date.UTC(2026, 10, 21), 'is a number'],
    [null, 'is null'],
    [Infinity, 'is Infinity'],
    [{}, 'is an object'],
  ])('rejects %s', (value, message) => {
    expect(catchInvalid(() => calendarDate(value as never)).issues[0]?.message).toContain(message)
  })

  test('shows the day of a string in any locale', () => {
    const day = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(day, (date) => {
        const shown = calendarDate(date.toISOString().slice(0, 10), 'en')
        expect(shown).toMatch(
          new RegExp(`^[A-Z][a-z]{2} ${date.getUTCDate()}, ${date.getUTCFullYear()}$`),
        )
      }),
    )
  })
})
