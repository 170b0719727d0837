import { seededRandom } from '../../src/emulator/faults/random.ts'

/** How hard a soak tries. The same seed does the same. */
export interface SoakOptions {
  readonly count: number
  readonly seed: number
}

/** What a soak measured, and what went wrong: nothing, when it passed. */
export interface SoakResult {
  readonly figures: Readonly<Record<string, number | string>>
  /** At most twenty. */
  readonly failures: readonly string[]
}

/** One load or fault, small in `npm test` and large in `npm run soak`. */
export type Soak = (options: SoakOptions) => Promise<SoakResult>

/** Keeps the first failures and counts the rest. */
export function failureList() {
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

/** The value below which a share of the values lie. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Whole numbers from 0 up to a limit, the same for the same seed. */
export function seededInteger(seed: number): (limit: number) => number {
  const random = seededRandom(seed)
  return (limit) => Math.floor(random() * limit)
}
