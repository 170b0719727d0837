/** Samples of one contender, and what they are to those of the yardstick, round by round. */
export interface Row {
  readonly name: string
  /** What was measured, in `unit`. */
  readonly value: number
  readonly unit: string
  /** To the yardstick's; above 1 is better than it. */
  readonly ratio?: Spread
}

/** The middle of samples, and the middle eight tenths. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The value below which a share of the samples lies. */
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

/** As `1.02 (0.97–1.05)`. */
export function shown({ median, low, high }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`
}

/** Median with the spread of the middle eight tenths, as `1.02 (0.97–1.05)`. */
export function summary(samples: readonly number[], digits = 2): string {
  return shown(spread(samples), digits)
}

/**
 * CPU time of a contender: that of its least disturbed rounds, since a busy machine
 * only ever adds to it. The spread is that of the ratios, round by round.
 */
export function costRow(
  name: string,
  unit: string,
  costs: readonly number[],
  yardstick: readonly number[],
): Row {
  const value = quantile(costs, 0.1)
  return {
    name,
    value,
    unit,
    ratio: { ...spread(ratios(yardstick, costs)), median: quantile(yardstick, 0.1) / value },
  }
}

/** Ratios of two series, pair by pair: what disturbed one round disturbed both. */
export function ratios(upper: readonly number[], lower: readonly number[]): number[] {
  return upper.map((value, index) => value / (lower[index] ?? Number.NaN))
}
