/**
 * A `date_time` in the reader's own zone and language.
 *
 * @param value an RFC 3339 date-time
 */
export function moment(value: string): string {
  // A leap second, which `Date` does not know, is shown as the second before it (A10).
  const date = new Date(value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(date.getTime())) return value
  return FORMAT.format(date)
}

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
