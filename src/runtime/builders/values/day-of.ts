import type { PayloadIssue } from '../../contract/issues.ts'
import { dateFormat, LOCALE_PROBLEM } from './intl-format.ts'
import { readDateTime } from './read-date-time.ts'
import { argumentIssue, throwInvalid } from '../components/invalid-component-error.ts'

/**
 * Formats the day of a date-time, for use in a sentence: `dayOf(payment.paidAt, 'Europe/Berlin')`
 * is `Nov 20, 2026`.
 *
 * A date-time is on different days in different time zones, so the zone is required.
 * Use `dateTime()` where a component can show it, and
 * `calendarDate()` for a date without a time.
 *
 * @param dateTime a `Date`, or an RFC 3339 date-time
 * @param timeZone an IANA time zone
 * @param locale a BCP 47 tag. @default 'en'
 * @throws {InvalidComponentError} `invalid_component`: not a date-time, or an invalid
 * time zone or locale
 *
 * @example text({ label: 'Last payment', value: `${money(4000, 'EUR')} on ${dayOf(paidAt, 'UTC')}` })
 *
 * @see docs/guides/values.md#dates
 */
export function dayOf(dateTime: string | Date, timeZone: string, locale = 'en'): string {
  const fail = (issue: PayloadIssue) =>
    throwInvalid(dayOf, 'dayOf', [issue], [dateTime, timeZone, locale])
  const time = readDateTime('dateTime', dateTime)
  if (typeof time !== 'number') return fail(time)
  const format = dayFormat(locale, timeZone)
  if (format === undefined) {
    // A second attempt in English shows whether the locale or the zone is invalid.
    if (dayFormat('en', timeZone) !== undefined) {
      return fail(argumentIssue('locale', locale, ...LOCALE_PROBLEM))
    }
    return fail(argumentIssue('timeZone', timeZone, 'is not an IANA time zone', ZONE_FIX))
  }
  return format.format(time)
}

const ZONE_FIX =
  "Pass 'America/New_York' for Eastern Time, for example, or 'UTC' if the zone is not known."

function dayFormat(locale: unknown, timeZone: unknown): Intl.DateTimeFormat | undefined {
  if (typeof timeZone !== 'string') return undefined
  return dateFormat(locale, `day ${timeZone}`, { dateStyle: 'medium', timeZone })
}
