import { dateFormat } from './intl-format.ts'

/**
 * Returns a valid date for `dateTime()` with the offset of a time zone.
 * `undefined` for an unknown zone.
 */
export function toDateTimeIn(date: Date, timeZone: string): Date | string | undefined {
  const options = { timeZone, timeZoneName: 'longOffset', minute: 'numeric' } as const
  // The text is "22 GMT+01:00". formatToParts() would take three times as long.
  const shown = dateFormat('en', `offset ${timeZone}`, options)?.format(date)
  if (shown === undefined) return undefined
  // RFC 3339 has no seconds here. Local mean times before 1900 had them.
  const [offset, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(shown) ?? []
  const size = Number(hours) * 60 + Number(minutes)
  const local = new Date(date.getTime() + (sign === '-' ? -size : size) * 60_000)
  const year = local.getUTCFullYear()
  // RFC 3339 allows four digits for the year. In UTC, this date may still fit.
  if (!(year >= 0 && year <= 9999)) return date
  return `${local.toISOString().slice(0, -1)}${size === 0 ? 'Z' : offset}`
}
