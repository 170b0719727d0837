import { isDateTime as isDateTimeText } from '../contract/date-time.ts'
import type { DateTime } from '../contract/payload.ts'
import { hasOnly, isObject, isString, isUriAllowed, judge, type UriOptions } from './arguments.ts'
import { refuse } from './invalid-component-error.ts'

/** The fields of a date-time component. */
export type DateTimeFields = Omit<DateTime, 'type' | 'value'> & {
  /** A `Date`, written as RFC 3339 in UTC, or a string that is RFC 3339 already. */
  readonly value: Date | string
}

/**
 * A label with a moment in time.
 *
 * @throws InvalidComponentError `invalid_component`, also for an invalid `Date`
 * and for a year outside 0–9999, which RFC 3339 cannot write
 *
 * @example dateTime({ label: 'Renews', value: account.renewsAt })
 *
 * @see docs/contract.md#date-times
 */
export function dateTime(fields: DateTimeFields, options?: UriOptions): DateTime {
  const value = fields?.value instanceof Date ? written(fields.value) : fields?.value
  if (!isDateTime(fields, value, options)) {
    judge(dateTime, 'date_time', isObject(fields) ? { ...fields, value } : fields, options)
  }
  const { label, icon_url } = fields
  return icon_url === undefined
    ? { type: 'date_time', label, value }
    : { type: 'date_time', label, value, icon_url }
}

function written(value: Date): string {
  const year = value.getUTCFullYear()
  if (year >= 0 && year <= 9999) return value.toISOString()
  const message = Number.isNaN(year)
    ? 'is an invalid Date: check where it was parsed, and leave the component out when there is no date'
    : 'has a year that RFC 3339 cannot write: it goes from 0000 to 9999'
  return refuse(dateTime, 'dateTime', [{ path: 'value', code: 'invalid_date_time', message }])
}

function isDateTime(
  fields: DateTimeFields,
  value: string,
  options: UriOptions | undefined,
): boolean {
  return (
    hasOnly(fields, 'label', 'value', 'icon_url') &&
    isString(fields.label) &&
    isString(value) &&
    isDateTimeText(value) &&
    (fields.icon_url === undefined || isUriAllowed(fields.icon_url, options))
  )
}
