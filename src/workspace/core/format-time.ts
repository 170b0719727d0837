const FORMAT = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Formats a time of day with seconds, in the reader's time zone. */
export function formatTime(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : FORMAT.format(date)
}
