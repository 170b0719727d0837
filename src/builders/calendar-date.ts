import { isDateTime } from '../contract/date-time.ts'
import { describeType, isDate } from '../contract/explain.ts'
import { dateFormat, type LocaleSource } from './intl-format.ts'
import { throwInvalidArgument } from './invalid-argument.ts'

const SOURCE: LocaleSource = { builder: calendarDate, name: 'calendarDate', path: 'locale' }

/**
 * Formats a date without a time for a text component: `calendarDate('2026-11-21')`
 * is `Nov 21, 2026`, in every time zone.
 *
 * A birthday or a renewal date has no time zone, so a `date_time` component
 * would show it a day early or late in many time zones. Drivers return such a
 * column as a string, as midnight in the process's time zone (node-postgres) or
 * as midnight in UTC. Each is read as the stored day.
 *
 * @param value a string `YYYY-MM-DD`, or a `Date` at local or UTC midnight
 * @param locale a BCP 47 tag. @default 'en'
 * @throws {InvalidComponentError} `invalid_component`: not a calendar date, a
 * `Date` with a time of day, or an invalid locale
 *
 * @example text({ label: 'Renews', value: calendarDate(account.renewsOn) })
 *
 * @see docs/guides/values.md#dates
 */
export function calendarDate(value: string | Date, locale?: string): string {
  const day = typeof value === 'string' ? dayOfText(value) : dayOfDate(value)
  return dateFormat(SOURCE, locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(day)
}

/** Midnight UTC of the day that a string names. */
function dayOfText(value: string): number {
  if (isDateTime(`${value}T00:00:00Z`)) return Date.parse(value)
  return invalid(
    'is not a date of the form YYYY-MM-DD',
    /^\d{4}-\d{2}-\d{2}[T ]/.test(value)
      ? 'Show a moment with dateTime(), or pass value.slice(0, 10).'
      : 'Pass a string such as 2026-11-21.',
  )
}

/** Returns midnight UTC of the day of a `Date`. */
function dayOfDate(value: Date): number {
  if (!isDate(value)) {
    return invalid(
      `is ${describeType(value)}, expected a string or a Date`,
      'Pass YYYY-MM-DD or a Date.',
    )
  }
  const time = value.getTime()
  if (Number.isNaN(time)) return invalid('is an invalid Date', 'Check where it was parsed.')
  const [year, month, day] = [value.getFullYear(), value.getMonth(), value.getDate()]
  // This is also correct if a clock change skips midnight, so that the day starts later.
  const startOfDay = new Date(2000, 0, 1)
  startOfDay.setFullYear(year, month, day)
  if (startOfDay.getTime() === time) return new Date(0).setUTCFullYear(year, month, day)
  // If local and UTC midnight coincide, they are the same day.
  if (time % 86_400_000 === 0) return time
  return invalid(
    'is a Date with a time of day',
    'Show a moment with dateTime(), or pass YYYY-MM-DD.',
  )
}

function invalid(message: string, fix: string): never {
  return throwInvalidArgument(calendarDate, 'calendarDate', [
    { path: 'value', code: 'invalid_date_time', message, fix },
  ])
}
