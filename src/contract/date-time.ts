const MINUTES_IN_DAY = 24 * 60
const NOT_DIGITS = -1

/**
 * Tells whether a string is a `date-time` of RFC 3339, section 5.6 and 5.7: a
 * real calendar day, an offset, and a leap second only where UTC can have one.
 * Lower-case `t` and `z` are accepted, as the RFC says (A10).
 *
 * @see docs/contract.md#date-times
 */
export function isDateTime(value: string): boolean {
  const century = twoDigits(value, 0)
  const yearOfCentury = twoDigits(value, 2)
  const year = century * 100 + yearOfCentury
  const month = twoDigits(value, 5)
  const day = twoDigits(value, 8)
  const hour = twoDigits(value, 11)
  const minute = twoDigits(value, 14)
  const second = twoDigits(value, 17)
  if (century < 0 || yearOfCentury < 0) return false
  if (value[4] !== '-' || value[7] !== '-' || value[13] !== ':' || value[16] !== ':') return false
  if (value[10] !== 'T' && value[10] !== 't') return false
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false
  const offset = offsetMinutes(value, endOfFraction(value, 19))
  if (offset === undefined) return false
  return second < 60 || isLastMinuteOfUtcMonth(year, month, day, hour * 60 + minute - offset)
}

function twoDigits(value: string, at: number): number {
  const tens = value.charCodeAt(at) - 48
  const ones = value.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NOT_DIGITS
}

/** The index after `.` and its digits; `at` itself when there is no whole fraction. */
function endOfFraction(value: string, at: number): number {
  if (value[at] !== '.') return at
  let end = at + 1
  while (value.charCodeAt(end) >= 48 && value.charCodeAt(end) <= 57) end++
  return end === at + 1 ? at : end
}

/** The offset from UTC written from `at` to the end; `undefined` when it is not one. */
function offsetMinutes(value: string, at: number): number | undefined {
  const sign = value[at]
  if (sign === 'Z' || sign === 'z') return value.length === at + 1 ? 0 : undefined
  if ((sign !== '+' && sign !== '-') || value[at + 3] !== ':') return undefined
  if (value.length !== at + 6) return undefined
  const hours = twoDigits(value, at + 1)
  const minutes = twoDigits(value, at + 4)
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1)
}

/** Leap seconds are inserted before midnight UTC of a month's last day (section 5.7). */
function isLastMinuteOfUtcMonth(
  year: number,
  month: number,
  day: number,
  utcMinute: number,
): boolean {
  const wrapped = ((utcMinute % MINUTES_IN_DAY) + MINUTES_IN_DAY) % MINUTES_IN_DAY
  if (wrapped !== MINUTES_IN_DAY - 1) return false
  if (utcMinute < 0) return day === 1
  if (utcMinute >= MINUTES_IN_DAY) return day === daysInMonth(year, month) - 1
  return day === daysInMonth(year, month)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
