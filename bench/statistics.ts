/** The result of one candidate, absolute and relative to the baseline. */
export interface Row {
  readonly name: string
  /** In `unit`. */
  readonly value: number
  readonly unit: string
  /** Relative to the baseline; above 1 is better. */
  readonly ratio?: Spread
}

/** The median of samples, and the range of the middle 80 %. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Returns the value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function spread(samples: readonly number[]): Spread {
  return {
    median: quantile(samples, 0.5),
    low: quantile(samples, 0.1),
    high: quantile(samples, 0.9),
  }
}

/** Formats a spread as `1.02 (0.97–1.05)`. */
export function formatSpread({ median, low, high }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}

/**
 * Creates a row of costs, such as CPU time. The value and the ratio are those
 * of the least disturbed rounds, because other work on the machine can only add
 * to a cost. The range is that of the ratios, round by round.
 */
export function costRow(
  name: string,
  unit: string,
  costs: readonly number[],
  baseline: readonly number[],
): Row {
  const value = quantile(costs, 0.1)
  return {
    name,
    value,
    unit,
    ratio: { ...spread(ratios(baseline, costs)), median: quantile(baseline, 0.1) / value },
  }
}

/** Returns the ratios of two series, round by round: a disturbance affects both of a round. */
export function ratios(upper: readonly number[], lower: readonly number[]): number[] {
  return upper.map((value, index) => value / (lower[index] ?? Number.NaN))
}
