import { dateFormat } from './intl-format.ts'

/**
 * Returns a valid date for `dateTime()` with the offset of a time zone.
 * `undefined` for an unknown zone.
 */
export function toDateTimeIn(date: Date, timeZone: string): Date | string | undefined {
  const options = { timeZone, timeZoneName: 'longOffset', minute: 'numeric' } as const
  // The text looks like "22 GMT+01:00". formatToParts() would take three times as long.
  const shown = dateFormat('en', `offset ${timeZone}`, options)?.format(date)
  if (shown === undefined) return undefined
  // RFC 3339 allows no seconds in an offset, which local mean times before 1900 had.
  const [offset, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(shown) ?? []
  const size = Number(hours) * 60 + Number(minutes)
  const local = new Date(date.getTime() + (sign === '-' ? -size : size) * 60_000)
  const year = local.getUTCFullYear()
  // RFC 3339 requires a year of four digits. In UTC, this date may still have one.
  if (!(year >= 0 && year <= 9999)) return date
  return `${local.toISOString().slice(0, -1)}${size === 0 ? 'Z' : offset}`
}
