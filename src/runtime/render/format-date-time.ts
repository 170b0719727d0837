/**
 * Formats a `date_time` value as `2027-03-01 09:00 UTC`. It uses numbers only,
 * because localized words differ between runtimes.
 *
 * @param value an RFC 3339 date-time
 * @param timeZone an IANA name
 */
export function formatDateTime(value: string, timeZone: string): string {
  // `Date` does not support leap seconds, so the second before is shown.
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
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')} ${timeZone}`
}
