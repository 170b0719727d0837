/** The grammar of sections 5.6 and 5.7, except for the lengths of months and leap seconds. */
const SHAPE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Returns whether a string is a `date-time` of RFC 3339 (sections 5.6 and 5.7). The day
 * must exist, and a leap second is valid only where UTC can have one.
 * Lowercase `t` and `z` are accepted, as the RFC allows (A10).
 *
 * @example
 * isDateTime('2026-03-01T12:00:00Z') // true
 * isDateTime('2026-03-01') // false: a date without a time
 *
 * @see docs/contract.md#date-times
 */
export function isDateTime(value: string): boolean {
  return (
    SHAPE.test(value) &&
    (value.slice(8, 10) <= '28' || isDayOfItsMonth(value.slice(0, 10))) &&
    (value[17] !== '6' || isLastMinuteOfUtcMonth(value))
  )
}

function isDayOfItsMonth(date: string): boolean {
  // For a day such as February 30, some engines return an invalid `Date`, and others a day of the
  // next month.
  return new Date(date).getUTCDate() === Number(date.slice(8))
}

/**
 * Returns whether a time may be a leap second, which is inserted before midnight
 * UTC of a month's last day (section 5.7).
 */
function isLastMinuteOfUtcMonth(value: string): boolean {
  const offset = /z$/i.test(value) ? 'Z' : value.slice(-6)
  const minute = new Date(`${value.slice(0, 10)}T${value.slice(11, 16)}${offset}`)
  return new Date(minute.getTime() + 60_000).toISOString().includes('-01T00:00')
}
