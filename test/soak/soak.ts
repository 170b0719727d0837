import { seededRandom } from '../../src/tools/emulator/faults/random.ts'

/** The size of a soak. The same seed results in the same run. */
export interface SoakOptions {
  readonly count: number
  readonly seed: number
}

/** The figures of a soak and its failures. */
export interface SoakResult {
  readonly figures: Readonly<Record<string, number | string>>
  /** At most 20. */
  readonly failures: readonly string[]
}

/** A test under load or faults: small in `npm run test:slow`, large in `test/soak/run.ts`. */
export type Soak = (options: SoakOptions) => Promise<SoakResult>

/** Creates a list that keeps the first failures and counts the others. */
export function createFailureList() {
  const failures: string[] = []
  let count = 0
  return {
    add(failure: string) {
      count += 1
      if (failures.length < 20) failures.push(failure)
    },
    get count() {
      return count
    },
    failures: failures as readonly string[],
  }
}

/** Returns a percentile of the values. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Creates a generator of integers from 0 to below a limit, determined by the seed. */
export function createSeededInteger(seed: number): (limit: number) => number {
  const random = seededRandom(seed)
  return (limit) => Math.floor(random() * limit)
}
