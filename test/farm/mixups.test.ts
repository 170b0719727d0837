import { expect, it } from 'vitest'
import { lowerLimit, measureMixups } from './mixups.ts'

/** `npm run farm:mixups` measures more runs. */
it('finds a mix-up of 5 % of the responses to one customer', { timeout: 60_000 }, async () => {
  expect((await measureMixups(0.05, 25)).found).toBeGreaterThanOrEqual(23)
})

it('finds no mix-up of an endpoint without one', async () => {
  expect(await measureMixups(0, 3)).toMatchObject({ runs: 3, found: 0 })
})

it.each([
  [1_000, 1_000, 0.9973],
  [990, 1_000, 0.9835],
  [0, 10, 0],
])('proves less than it saw: %d of %d', (found, runs, atLeast) => {
  expect(lowerLimit(found, runs)).toBeCloseTo(atLeast, 3)
})
