import { HELPER_CASES, type HelperCase } from '../helper-cases.ts'
import { figure, type Part, table } from '../page.ts'
import { inTurns } from '../samples.ts'

const WARM_UPS = 5
const CALLS = 2_000

/** Inputs that cost less than this are not worth a row. */
const SHOWN_FACTOR = 3

/** Measures every builder and helper with every input, each call with another one. */
export async function measureHelpers(rounds: number): Promise<Part> {
  const turns = HELPER_CASES.map(
    (each, index) => [String(index), (round: number) => measure(each, round)] as const,
  )
  const costs = await inTurns(Object.fromEntries(turns), rounds, WARM_UPS)
  const helpers = Map.groupBy(
    HELPER_CASES.map(({ helper, input }, index) => ({ helper, input, cost: costs[index]! })),
    ({ helper }) => helper,
  )
  const rows = [...helpers].map(([helper, [usual, ...others]]) => {
    const dearest = others.toSorted((a, b) => b.cost - a.cost)[0] ?? usual!
    return { helper, usual: usual!, dearest, factor: dearest.cost / usual!.cost }
  })
  const worst = rows.toSorted((a, b) => b.factor - a.factor)[0]!
  return {
    goals: [
      {
        name: 'The most expensive input of a builder or helper, relative to its usual one',
        value: worst.factor,
        limit: 10,
        unit: '×',
        cause: `\`${worst.helper}\` with ${worst.dearest.input}.`,
      },
    ],
    section: `## Builders and helpers

The time of one call, with another argument each time. The most expensive input of the others costs less than ${SHOWN_FACTOR} times their usual one.

${table(
  ['', 'Usual input', 'µs', 'Most expensive input', 'µs', 'Factor'],
  rows
    .filter(({ factor }) => factor >= SHOWN_FACTOR)
    .map(({ helper, usual, dearest, factor }) => [
      `\`${helper}\``,
      usual.input,
      figure(usual.cost),
      dearest.input,
      figure(dearest.cost),
      factor.toFixed(1),
    ]),
)}`,
  }
}

function measure({ prepare, call }: HelperCase, round: number): number {
  const first = round * CALLS
  const inputs = Array.from({ length: CALLS }, (_, index) => prepare(first + index) as never)
  let used = 0
  const start = performance.now()
  for (const input of inputs) if (call(input) !== undefined) used += 1
  const microseconds = ((performance.now() - start) * 1_000) / CALLS
  if (used !== CALLS) throw new Error('A helper returned nothing.')
  return microseconds
}
