import { isDateTime } from '../contract/date-time.ts'
import type { DateTime } from '../contract/generated/types.ts'
import { isDate } from '../internal/hostile-values.ts'
import { assertValidFields, hasOnly, isOptionalIcon, isObject } from './arguments.ts'
import { throwInvalid } from './invalid-component-error.ts'

/** The fields of a date-time component. */
export type DateTimeFields = Omit<DateTime, 'type' | 'value'> & {
  /** A `Date`, which is written in UTC, or an RFC 3339 date-time with an offset. */
  readonly value: Date | string
}

/**
 * Creates a label with a date and time.
 *
 * @throws {InvalidComponentError} `invalid_component`, also for an invalid `Date`
 * and for a year outside 0000–9999, which RFC 3339 does not support
 *
 * @example dateTime({ label: 'Renews', value: account.renewsAt })
 *
 * @see docs/contract.md#date-times
 */
export function dateTime(fields: DateTimeFields): DateTime {
  const value = formatValue(fields)
  if (!isValid(fields, value)) {
    const set = value === undefined ? {} : { value }
    assertValidFields({ call: dateTime, name: 'dateTime' }, 'date_time', fields, set)
  }
  const { label, icon_url } = fields
  return icon_url === undefined
    ? { type: 'date_time', label, value: value as string }
    : { type: 'date_time', label, value: value as string, icon_url }
}

function formatValue(fields: unknown): unknown {
  if (!isObject(fields)) return undefined
  const { value } = fields
  return isDate(value) ? formatDate(value) : value
}

function formatDate(value: Date): string {
  const year = value.getUTCFullYear()
  if (year >= 0 && year <= 9999) return value.toISOString()
  const message = Number.isNaN(year)
    ? 'is an invalid Date'
    : 'has a year outside 0000–9999, which RFC 3339 does not support'
  const fix = 'Check where it was parsed, or omit the component.'
  const issue = { path: 'value', code: 'invalid_date_time', message, fix } as const
  return throwInvalid(dateTime, 'dateTime', [issue])
}

function isValid(fields: unknown, value: unknown): boolean {
  return (
    isObject(fields) &&
    typeof fields['label'] === 'string' &&
    typeof value === 'string' &&
    isDateTime(value) &&
    isOptionalIcon(fields['icon_url']) &&
    hasOnly(fields, 'label', 'value', 'icon_url')
  )
}
