/** The value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Runs candidates in turns, so that a disturbance affects all of them, and returns the cost of
 * each in its least disturbed tenth of the rounds: other work on the machine can only add to it.
 *
 * @param warmUps the rounds that are not counted
 */
export async function inTurns<Name extends string>(
  candidates: Readonly<Record<Name, (round: number) => number | Promise<number>>>,
  rounds: number,
  warmUps: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[]
  const samples = new Map(names.map((name): [Name, number[]] => [name, []]))
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const name of names) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const cost = await candidates[name](round)
      if (round >= warmUps) samples.get(name)!.push(cost)
    }
  }
  const costs = names.map((name) => [name, quantile(samples.get(name)!, 0.1)])
  return Object.fromEntries(costs) as Record<Name, number>
}
