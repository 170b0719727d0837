const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** Formats the time since a date in a short form: `now`, `5m`, `3h`, `2d`, `14 Nov`. */
export function formatRelativeTime(at: string, nowMs: number): string {
  const then = Date.parse(at)
  if (Number.isNaN(then)) return ''
  const passed = nowMs - then
  if (passed < MINUTE_MS) return 'now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)}m`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)}h`
  if (passed < 7 * DAY_MS) return `${Math.floor(passed / DAY_MS)}d`
  return DAY.format(then)
}
