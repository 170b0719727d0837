import { expect, test } from 'vitest'
import { localized } from 'sidecard'

const german = localized({ locale: 'de', timeZone: 'Europe/Berlin' })
const moment = new Date('2026-11-20T23:30:00Z')

test('the helpers use the language and the time zone', () => {
  const { fields, money, calendarDate, dayOf } = german
  expect(fields({ Plätze: 12_500, Zeit: moment })).toEqual([
    { type: 'text', label: 'Plätze', value: '12.500' },
    { type: 'date_time', label: 'Zeit', value: '2026-11-21T00:30:00.000+01:00' },
  ])
  expect(money(499_000, 'EUR')).toBe('4.990,00\u00A0€')
  expect(calendarDate('2026-12-01')).toBe('01.12.2026')
  expect(dayOf(moment)).toBe('21.11.2026')
})

test('an argument of a call replaces them', () => {
  const { fields, money, calendarDate, dayOf } = german
  expect(fields({ Seats: 12_500 }, { locale: 'en' })).toMatchObject([{ value: '12,500' }])
  expect(fields({ At: moment }, { timeZone: 'UTC' })).toMatchObject([
    { value: '2026-11-20T23:30:00.000Z' },
  ])
  expect(money(100, 'EUR', 'en')).toBe('€1.00')
  expect(calendarDate('2026-12-01', 'en')).toBe('Dec 1, 2026')
  expect(dayOf(moment, 'UTC', 'en')).toBe('Nov 20, 2026')
})

test('without options, they are those of the package', () => {
  expect(localized({}).money(100, 'EUR')).toBe('€1.00')
})

test.each([
  [{ locale: 'not a tag' }, 'localized: locale must be a language tag'],
  [{ timeZone: 'Europe/Atlantis' }, 'localized: timeZone must be an IANA time zone'],
  [{ language: 'de' }, 'localized: there is no option "language"'],
  [{ locale: 7 }, 'localized: locale must be'],
])('rejects %j when the helpers are created', (options, message) => {
  expect(() => localized(options as never)).toThrow(message)
})
