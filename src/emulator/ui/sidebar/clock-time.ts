const FORMAT = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The time of day of a moment, with seconds, in the reader's zone. */
export function clockTime(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : FORMAT.format(date)
}
