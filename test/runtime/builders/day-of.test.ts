import { describe, expect, test } from 'vitest'
import { dayOf } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

describe('dayOf()', () => {
  test.each<[string | Date, string, string | undefined, string]>([
    [new Date('2026-11-20T23:30:00Z'), 'UTC', undefined, 'Nov 20, 2026'],
    [new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin', undefined, 'Nov 21, 2026'],
    ['2026-11-20T23:30:00Z', 'Europe/Berlin', 'de', '21.11.2026'],
    ['2026-11-20T09:30:00+14:00', 'UTC', undefined, 'Nov 19, 2026'],
    ['2026-11-20t09:30:00z', 'UTC', undefined, 'Nov 20, 2026'],
    ['2016-12-31T23:59:60Z', 'UTC', undefined, 'Dec 31, 2016'],
    [new Date(0), 'America/New_York', undefined, 'Dec 31, 1969'],
  ])('formats %s in %s (%s)', (moment, timeZone, locale, expected) => {
    expect(dayOf(moment, timeZone, locale)).toBe(expected)
  })

  test.each<[unknown, unknown, unknown, string, string]>([
    ['2026-11-20', 'UTC', 'en', 'dateTime', 'is not an RFC 3339 date-time'],
    ['yesterday', 'UTC', 'en', 'dateTime', 'is not an RFC 3339 date-time'],
    [new Date(Number.NaN), 'UTC', 'en', 'dateTime', 'is an invalid Date'],
    [7, 'UTC', 'en', 'dateTime', 'is a number'],
    [null, 'UTC', 'en', 'dateTime', 'is null'],
    [Promise.resolve(new Date()), 'UTC', 'en', 'dateTime', 'is a promise'],
    [new Date(), undefined, 'en', 'timeZone', 'is not an IANA time zone'],
    [new Date(), 'Mars/Olympus', 'en', 'timeZone', 'is not an IANA time zone'],
    [new Date(), '', 'en', 'timeZone', 'is not an IANA time zone'],
    [new Date(), 'UTC', 'not a tag', 'locale', 'is not a language tag'],
  ])('rejects %s, %s, %s', (moment, timeZone, locale, path, message) => {
    const error = catchInvalid(() => dayOf(moment as never, timeZone as never, locale as never))
    expect(error.issues).toMatchObject([{ path, message: expect.stringContaining(message) }])
  })

  test('suggests calendarDate() for a date without a time', () => {
    const error = catchInvalid(() => dayOf('2026-11-20', 'UTC'))
    expect(error.issues[0]?.fix).toContain('calendarDate()')
  })
})
