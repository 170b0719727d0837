import { invalidOption, readOptions } from '../../internal/read-options.ts'
import { throwInvalid, throwToCaller } from '../components/invalid-component-error.ts'
import { FIELDS_OPTIONS, type FieldsOptions } from './field-value.ts'
import { dateFormat } from './intl-format.ts'
import { readDateTime } from './read-date-time.ts'

/**
 * Formats a date with a time, for use in a sentence:
 * `dateAndTime(login.at, { timeZone: 'Europe/Berlin' })` is `Nov 20, 2026, 10:30 AM GMT+1`.
 *
 * The text names the time zone, because agents work in several. Use `dateTime()` where a
 * component can show the value. The text can contain no-break spaces.
 *
 * @param value a `Date`, or an RFC 3339 date-time
 * @throws {InvalidComponentError} `invalid_component`: not a date-time
 * @throws {SidecardError} `invalid_options`: an unknown option, an invalid locale or time zone
 *
 * @example text({ label: 'Last login', value: `${dateAndTime(login.at)} from ${login.city}` })
 *
 * @see docs/guides/values.md#dates
 */
export function dateAndTime(value: string | Date, options: FieldsOptions = {}): string {
  const time = readDateTime('value', value)
  if (typeof time !== 'number') {
    return throwInvalid(dateAndTime, 'dateAndTime', [time], [value, options])
  }
  try {
    const { locale = 'en', timeZone = 'UTC' } = readOptions('dateAndTime', options, FIELDS_OPTIONS)
    const format = timeFormat(locale, timeZone)
    if (format !== undefined) return format.format(time)
    // A second attempt in English shows whether the locale or the zone is invalid.
    const name = timeFormat('en', timeZone) === undefined ? 'timeZone' : 'locale'
    throw invalidOption('dateAndTime', name, FIELDS_OPTIONS[name].expected)
  } catch (error) {
    return throwToCaller(dateAndTime, error, [value, options])
  }
}

function timeFormat(locale: string, timeZone: string): Intl.DateTimeFormat | undefined {
  return dateFormat(locale, `time ${timeZone}`, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
}
