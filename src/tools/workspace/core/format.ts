const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Formats a size with a suitable unit: `340 B`, `1.2 kB`, `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Formats a duration in milliseconds, or in seconds from ten seconds. */
export function milliseconds(durationMs: number): string {
  return durationMs < 10_000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1000).toFixed(1)} s`
}

/**
 * Formats a `date_time` in the reader's time zone and language.
 *
 * @param value an RFC 3339 date-time
 */
export function formatDateTime(value: string): string {
  // `Date` does not support leap seconds, so the second before is shown (A10).
  const date = new Date(value.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(date.getTime())) return value
  return DATE_TIME.format(date)
}

/** Formats a time of day with seconds, in the reader's time zone. */
export function formatTime(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : TIME.format(date)
}

/** Formats a number of things: `1 warning`, `1,200 requests`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
