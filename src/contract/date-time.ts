const DATE_TIME =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/

const MINUTES_IN_DAY = 24 * 60

/**
 * Tells whether a string is a `date-time` of RFC 3339, section 5.6 and 5.7: a
 * real calendar day, an offset, and a leap second only where UTC can have one.
 * Lower-case `t` and `z` are accepted, as the RFC says (A10).
 *
 * @see docs/contract.md#date-times
 */
export function isDateTime(value: string): boolean {
  const match = DATE_TIME.exec(value)
  if (match === null) return false
  const year = Number(match[1])
  const month = Number(match[2])
  const day = Number(match[3])
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6])
  const offsetHour = Number(match[8] ?? 0)
  const offsetMinute = Number(match[9] ?? 0)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (offsetHour * 60 + offsetMinute) * (match[7] === '-' ? -1 : 1)
  return isLastMinuteOfUtcMonth(year, month, day, hour * 60 + minute - offset)
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
