import { HELPER_CASES, type HelperCase } from '../candidates/helpers.ts'
import { quantile } from '../statistics.ts'

const WARM_UP_ROUNDS = 5
const CALLS = 2_000

/** The cost of one input of a builder or helper. */
export interface HelperCost {
  readonly helper: string
  readonly input: string
  readonly microseconds: number
  /** Relative to the first input of the helper. */
  readonly ofUsual: number
}

/** Measures every builder and helper with every input, each call with another one. */
export function measureHelpers(rounds: number): HelperCost[] {
  const samples = HELPER_CASES.map((): number[] => [])
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
    for (const [index, helperCase] of HELPER_CASES.entries()) {
      const cost = measure(helperCase, round * CALLS)
      if (round >= WARM_UP_ROUNDS) samples[index]!.push(cost)
    }
  }
  const costs = samples.map((list) => quantile(list, 0.1))
  return HELPER_CASES.map(({ helper, input }, index) => {
    const usual = HELPER_CASES.findIndex((other) => other.helper === helper)
    const microseconds = costs[index]!
    return { helper, input, microseconds, ofUsual: microseconds / costs[usual]! }
  })
}

function measure({ prepare, call }: HelperCase, first: number): number {
  const inputs = Array.from({ length: CALLS }, (_, index) => prepare(first + index) as never)
  let used = 0
  const start = performance.now()
  for (const input of inputs) if (call(input) !== undefined) used += 1
  const microseconds = ((performance.now() - start) * 1_000) / CALLS
  if (used !== CALLS) throw new Error('A helper returned nothing.')
  return microseconds
}
