import { expect, test } from 'vitest'
import { dateAndTime, localized } from 'sidecard'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const UTC = "Write value.replace(' ', 'T') + 'Z' if it is in UTC, as CURRENT_TIMESTAMP of SQLite"

test.each([
  ['2026-11-20T23:30:00Z', {}, 'Nov 20, 2026, 11:30 PM UTC'],
  [new Date('2026-11-20T23:30:00Z'), { timeZone: 'Europe/Berlin' }, 'Nov 21, 2026, 12:30 AM GMT+1'],
  ['2026-11-21T00:30:00+01:00', { locale: 'de', timeZone: 'UTC' }, '20. Nov. 2026, 23:30 UTC'],
  [
    '2016-12-31t23:59:60z',
    { locale: undefined, timeZone: undefined },
    'Dec 31, 2016, 11:59 PM UTC',
  ],
] as const)('dateAndTime(%s, %j) names the time zone: %s', (value, options, expected) => {
  expect(plain(dateAndTime(value, options))).toBe(expected)
})

test('localized() gives dateAndTime() its defaults, which a call replaces', () => {
  const german = localized({ locale: 'de', timeZone: 'Europe/Berlin' })
  const value = '2026-11-20T23:30:00Z'
  expect(plain(german.dateAndTime(value))).toBe('21. Nov. 2026, 00:30 MEZ')
  expect(plain(german.dateAndTime(value, { timeZone: 'UTC' }))).toBe('20. Nov. 2026, 23:30 UTC')
})

test.each<[unknown, string, string]>([
  ['2026-11-27 01:12:16', 'is not an RFC 3339 date-time', UTC],
  ['2026-11-27 01:12:16.5+00', 'is not an RFC 3339', 'Write new Date(value).toISOString().'],
  [
    '1803945600',
    'is not an RFC 3339',
    'new Date(Number(value) * 1000).toISOString() if it is in sec',
  ],
  [1_803_945_600, 'is a number', 'Write new Date(value * 1000).toISOString() if it is in seconds'],
  ['2026-11-27', 'is not an RFC 3339', 'Use calendarDate() for a date without a time.'],
  [new Date(Number.NaN), 'is an invalid Date', 'Check the code that parses the date.'],
  [Promise.resolve(new Date()), 'is a promise', 'Write await before it.'],
  [null, 'is null', 'Pass a date-time.'],
])('dateAndTime(%s) is rejected with the forms that it may have meant', (value, message, fix) => {
  const { issues } = catchInvalid(() => dateAndTime(value as never))
  expect(issues).toMatchObject([
    { path: 'value', message: expect.stringContaining(message), fix: expect.stringContaining(fix) },
  ])
})

test.each([
  [{ timeZone: 'Eastern Time (US & Canada)' }, 'dateAndTime: timeZone must be an IANA time zone'],
  [{ locale: 'not a tag' }, 'dateAndTime: locale must be a language tag'],
])('dateAndTime() rejects %j at the line of its caller', (options, message) => {
  let thrown: unknown
  try {
    dateAndTime(new Date(0), options)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(message),
  })
  expect((thrown as Error).stack).toMatch(/\n +at .*date-and-time\.test\.ts/)
})
