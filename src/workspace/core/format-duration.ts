/** Formats a duration in milliseconds, or in seconds from ten seconds. */
export function milliseconds(durationMs: number): string {
  return durationMs < 10_000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1000).toFixed(1)} s`
}
