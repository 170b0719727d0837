/**
 * A `date_time` as its reader sees it: `2027-03-01 09:00 UTC`. Written from
 * numbers rather than in a locale's words, which change between runtimes.
 *
 * @param value an RFC 3339 date-time
 * @param timeZone an IANA name
 */
export function moment(value: string, timeZone: string): string {
  // A leap second, which `Date` does not know, is shown as the second before it.
  const date = new Date(value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(date.getTime())) return value
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(date)
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')} ${timeZone}`
}
