import { invalidOption, readOptions } from '../../internal/read-options.ts'
import { calendarDate } from './calendar-date.ts'
import { dateAndTime } from './date-and-time.ts'
import { dayOf } from './day-of.ts'
import { FIELDS_OPTIONS, type FieldsOptions, type FieldsInput } from './field-value.ts'
import { fields } from './fields.ts'
import { dateFormat } from './intl-format.ts'
import { type MajorUnits, money } from './money.ts'

/** The helpers for values in one language and time zone. {@link localized} creates them. */
export interface LocalizedHelpers {
  /** {@link fields} with these defaults. */
  fields<R extends object>(
    record: FieldsInput<R>,
    options?: FieldsOptions,
  ): ReturnType<typeof fields>
  /** {@link money} with this locale. */
  money(amount: number | bigint | MajorUnits, currency: string, locale?: string): string
  /** {@link calendarDate} with this locale. */
  calendarDate(value: string | Date, locale?: string): string
  /** {@link dateAndTime} with these defaults. */
  dateAndTime(value: string | Date, options?: FieldsOptions): string
  /** {@link dayOf} with this time zone and locale. */
  dayOf(dateTime: string | Date, timeZone?: string, locale?: string): string
}

/**
 * Returns the helpers for values with another default language and time zone. An
 * argument of a call still replaces them.
 *
 * @throws {SidecardError} `invalid_options`: an unknown option, an invalid locale or time zone
 *
 * @example
 * const { fields, money } = localized({ locale: 'de', timeZone: 'Europe/Berlin' })
 *
 * @see docs/guides/values.md#fields
 */
export function localized(options: FieldsOptions): LocalizedHelpers {
  const { locale = 'en', timeZone = 'UTC' } = readOptions('localized', options, FIELDS_OPTIONS)
  const isKnown = (tag: string, zone: string) =>
    dateFormat(tag, `localized ${zone}`, { timeZone: zone }) !== undefined
  if (!isKnown('en', timeZone)) {
    throw invalidOption('localized', 'timeZone', FIELDS_OPTIONS.timeZone.expected)
  }
  if (!isKnown(locale, timeZone)) {
    throw invalidOption('localized', 'locale', FIELDS_OPTIONS.locale.expected)
  }
  const defaults = { locale, timeZone }
  return {
    fields: (record, own) => fields(record, own === undefined ? defaults : { ...defaults, ...own }),
    money: (amount, currency, tag = locale) => money(amount, currency, tag),
    calendarDate: (value, tag = locale) => calendarDate(value, tag),
    dateAndTime: (value, own) => dateAndTime(value, { ...defaults, ...own }),
    dayOf: (dateTime, zone = timeZone, tag = locale) => dayOf(dateTime, zone, tag),
  }
}
