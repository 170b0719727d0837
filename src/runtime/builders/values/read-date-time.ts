import { isDateTime } from '../../contract/date-time.ts'
import { describeType, explainDateTime, explainTimestamp } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isDate } from '../../internal/hostile-values.ts'
import { argumentIssue } from '../components/invalid-component-error.ts'

/** Returns the time of a `Date` or of an RFC 3339 date-time in milliseconds, or the problem. */
export function readDateTime(path: string, value: unknown): number | PayloadIssue {
  const issue = (message: string, fix: string) =>
    argumentIssue(path, value, message, fix, 'invalid_date_time')
  if (typeof value === 'string') {
    if (isDateTime(value)) {
      // `Date` does not support leap seconds, so the time is that of the second before.
      return Date.parse(value.toUpperCase().replace(/(T\d\d:\d\d:)60/, '$159'))
    }
    const fix = /^\d{4}-\d\d-\d\d$/.test(value)
      ? 'Use calendarDate() for a date without a time.'
      : explainDateTime(value)[1]
    return issue('is not an RFC 3339 date-time', fix)
  }
  if (!isDate(value)) {
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    const fix = isNumber ? explainTimestamp(value) : 'Pass a date-time.'
    return issue(`is ${describeType(value)}, expected a string or a Date`, fix)
  }
  const time = value.getTime()
  return Number.isNaN(time)
    ? issue('is an invalid Date', 'Check the code that parses the date.')
    : time
}
