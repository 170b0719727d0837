/**
 * Formats a `date_time` in the reader's time zone and language.
 *
 * @param value an RFC 3339 date-time
 */
export function formatDateTime(value: string): string {
  // `Date` does not support leap seconds, so the second before is shown (A10).
  const date = new Date(value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(date.getTime())) return value
  return FORMAT.format(date)
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
