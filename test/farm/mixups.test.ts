import { expect, it } from 'vitest'
import { lowerLimit, measureMixups } from './mixups.ts'
import record from './mixups.json' with { type: 'json' }

/** `node test/farm/measure-mixups.ts` measures more runs. */
it('finds a mix-up of 5 % of the responses to one customer', { timeout: 60_000 }, async () => {
  expect((await measureMixups(0.05, 25)).found).toBeGreaterThanOrEqual(23)
})

it('finds no mix-up of an endpoint without one', async () => {
  expect(await measureMixups(0, 3)).toMatchObject({ runs: 3, found: 0 })
})

it.each([
  [300, 300, 0.05 ** (1 / 300)],
  [1_495, 1_500, 0.993_004],
  [990, 1_000, 0.983_097],
  [0, 10, 0],
])('proves less than it saw: %d of %d', (found, runs, atLeast) => {
  expect(lowerLimit(found, runs)).toBeCloseTo(atLeast, 6)
})

it.each(record.mixups)('the recorded share of $found of $runs runs is proven', (measured) => {
  const { found, runs, atLeast } = measured
  expect(atLeast).toBe(Math.floor(lowerLimit(found, runs) * 1_000) / 1_000)
})
