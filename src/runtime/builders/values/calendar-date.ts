import { isDateTime } from '../../contract/date-time.ts'
import { describeType, explainInfinity } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isDate } from '../../internal/hostile-values.ts'
import { dateFormat, LOCALE_PROBLEM } from './intl-format.ts'
import { argumentIssue, throwInvalid } from '../components/invalid-component-error.ts'

/** 0001-01-01 at midnight UTC. */
const FIRST_DAY_MS = -62_135_596_800_000

/**
 * Formats a date without a time for a text component: `calendarDate('2026-11-21')`
 * is `Nov 21, 2026`, in every time zone.
 *
 * A birthday or a renewal date has no time zone, so a `date_time` component would
 * show it a day early or late in many time zones. Drivers return a date column as
 * a string, as midnight in the process's time zone (node-postgres) or as midnight
 * in UTC. All of these are formatted as the stored day.
 *
 * @param value a string `YYYY-MM-DD`, or a `Date` at local or UTC midnight
 * @param locale a BCP 47 tag. @default 'en'
 * @throws {InvalidComponentError} `invalid_component`: not a calendar date, a
 * `Date` with a time of day, a date before the year 1, or an invalid locale
 *
 * @example text({ label: 'Renews', value: calendarDate(account.renewsOn) })
 *
 * @see docs/guides/values.md#dates
 */
export function calendarDate(value: string | Date, locale = 'en'): string {
  const fail = (issue: PayloadIssue) =>
    throwInvalid(calendarDate, 'calendarDate', [issue], [value, locale])
  const day = typeof value === 'string' ? dayOfText(value) : dayOfDate(value)
  if (typeof day !== 'number') return fail(day)
  const format = dateFormat(locale, 'calendar date', { dateStyle: 'medium', timeZone: 'UTC' })
  if (format === undefined) return fail(argumentIssue('locale', locale, ...LOCALE_PROBLEM))
  return format.format(day)
}

/** Returns midnight UTC of the day that a string names. */
function dayOfText(value: string): number | PayloadIssue {
  if (value.startsWith('0000-')) return yearIssue()
  if (isDateTime(`${value}T00:00:00Z`)) return Date.parse(value)
  return dateIssue(
    'is not a date of the form YYYY-MM-DD',
    /^\d{4}-\d{2}-\d{2}[T ]/.test(value)
      ? 'Show a date-time with dateTime(), or pass value.slice(0, 10) for its day in the zone in which it is written.'
      : (explainInfinity(value) ?? 'Pass a string such as 2026-11-21.'),
  )
}

/** Returns midnight UTC of the day of a `Date`. */
function dayOfDate(value: unknown): number | PayloadIssue {
  if (!isDate(value)) {
    const message = `is ${describeType(value)}, expected a string or a Date`
    const fix =
      explainInfinity(value) ??
      (typeof value === 'number'
        ? 'Pass YYYY-MM-DD, or show seconds since 1970 with dateTime() as new Date(value * 1000).'
        : 'Pass YYYY-MM-DD or a Date.')
    return argumentIssue('value', value, message, fix, 'invalid_date_time')
  }
  const time = value.getTime()
  if (Number.isNaN(time))
    return dateIssue('is an invalid Date', 'Check the code that parses the date.')
  const day = dayAtMidnight(value, time)
  if (day !== undefined) return day < FIRST_DAY_MS ? yearIssue() : day
  return dateIssue(
    'is a Date with a time of day',
    'Show a date-time with dateTime(), or pass YYYY-MM-DD.',
  )
}

function dayAtMidnight(value: Date, time: number): number | undefined {
  const [year, month, day] = [value.getFullYear(), value.getMonth(), value.getDate()]
  // If a clock change skips midnight, this is the moment at which the day starts.
  const startOfDay = new Date(2000, 0, 1)
  startOfDay.setFullYear(year, month, day)
  if (startOfDay.getTime() === time) return new Date(0).setUTCFullYear(year, month, day)
  // If this is midnight both locally and in UTC, both branches return the same day.
  return time % 86_400_000 === 0 ? time : undefined
}

function yearIssue(): PayloadIssue {
  return dateIssue(
    'is before the year 1',
    'Leave it out: MySQL writes the year 0 for an absent date.',
  )
}

function dateIssue(message: string, fix: string): PayloadIssue {
  return { path: 'value', code: 'invalid_date_time', message, fix }
}
