import { buildDateTime } from '../../contract/generated/build.ts'
import type { DateTime } from '../../contract/generated/types.ts'
import { rejectFields } from './reject-fields.ts'

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
  return buildDateTime(fields) ?? rejectFields(dateTime, 'dateTime', 'date_time', fields)
}
