/** The value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Median with the spread of the middle eight tenths, as `1.02 (0.97–1.05)`. */
export function summary(samples: readonly number[], digits = 2): string {
  const at = (share: number) => quantile(samples, share).toFixed(digits)
  return `${at(0.5)} (${at(0.1)}–${at(0.9)})`
}
