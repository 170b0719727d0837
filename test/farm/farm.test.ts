import { describe, expect, it } from 'vitest'
import { checkParts, evaluateSeed, redRules, SEEDS } from './farm.ts'
import { HARMLESS, isNeverHidden } from './pairs.ts'

/** A part of the farm for every run of the tests. `node test/farm/run.ts` checks all seeds. */
const SAMPLE = [
  'cache-global-named',
  'swapped-named',
  'mixed-50-percent-named',
  'third-for-second-named',
  'unknown-gets-first-row-named',
  'name-in-base64-named',
  'one-badge-shared-variable',
  'one-amount-cache-by-requester_id',
  'cache-by-range-header-named',
  'unknown-shares-an-object',
  'connection-remembers-the-payload-named',
  'rejection-with-name',
  'asked-once-per-connection-for-data',
  'unknown-500',
]

describe('a seeded defect that harms', () => {
  it.each(SAMPLE)(
    'is found, and its conformant twin passes: %s',
    { timeout: 60_000 },
    async (id) => {
      const seed = SEEDS.find((each) => each.id === id)
      if (seed === undefined) throw new Error(`There is no seed ${id}.`)
      expect(evaluateSeed(await checkParts(seed.defect()), seed)).toBe('found')
      const twin = await checkParts(seed.twin?.() ?? {})
      expect({ red: redRules(twin), verdict: twin.verdict }).toEqual({
        red: [],
        verdict: 'conforms',
      })
    },
  )

  /** Each seed is combined with a different defect. `node test/farm/run.ts --pairs` draws 20 for each. */
  it.each(Object.keys(HARMLESS).map((harmless, index) => [SAMPLE[index]!, harmless] as const))(
    'is not hidden by a harmless one whose rule is in the baseline: %s, %s',
    { timeout: 60_000 },
    async (id, harmless) => {
      const seed = SEEDS.find((each) => each.id === id)
      expect(seed && (await isNeverHidden(seed, [harmless]))).toBe(true)
    },
  )
})
