import { dateFormat } from './intl-format.ts'

/**
 * Returns a valid date for `dateTime()` with the offset of a time zone.
 * `undefined` for an unknown zone.
 */
export function toDateTimeIn(date: Date, timeZone: string): Date | string | undefined {
  const minutes = offsetMinutes(date, timeZone)
  if (minutes === undefined) return undefined
  const local = new Date(date.getTime() + minutes * 60_000)
  const year = local.getUTCFullYear()
  // RFC 3339 requires a year of four digits. In UTC, this date may still have one.
  if (!(year >= 0 && year <= 9999)) return date
  const two = (value: number) => String(value).padStart(2, '0')
  const size = Math.abs(minutes)
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}:${two(size % 60)}`
  return `${local.toISOString().slice(0, -1)}${minutes === 0 ? 'Z' : offset}`
}

/**
 * Returns an offset in whole minutes. RFC 3339 allows no seconds, which local mean
 * times before 1900 had.
 */
function offsetMinutes(date: Date, timeZone: string): number | undefined {
  const options = { timeZone, timeZoneName: 'longOffset', minute: 'numeric' } as const
  // The text looks like "22 GMT+01:00". formatToParts() would take three times as long.
  const shown = dateFormat('en', `offset ${timeZone}`, options)?.format(date)
  if (shown === undefined) return undefined
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(shown) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}
