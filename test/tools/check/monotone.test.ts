import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkParts, redRules, SEEDS } from '../../farm/farm.ts'
import { LUMEN, NORTHWIND } from '../../farm/seed.ts'

const CUSTOMERS = [NORTHWIND, LUMEN].map(({ id, name }) => ({
  ids: { account_id: id },
  shows: [name],
}))

/** What an operator adds: the first customer, the texts, the second customer, and `--expect-auth`. */
const createOptions = (count: number, withTexts: boolean, expectAuth: boolean): CheckOptions => ({
  headers: HEADERS,
  isolationSamples: 10,
  expectAuth: expectAuth ? true : 'detect',
  customers: CUSTOMERS.slice(0, count).map(({ ids, shows }) => ({
    ids,
    ...(withTexts && { shows }),
  })),
})

/** Defects that do not depend on the number or the order of requests, nor on options. */
const STEADY = SEEDS.filter(
  ({ id, options }) =>
    options === undefined &&
    // An unknown customer may get a 404, but not the only customer of a check.
    !/404|mixed|every|sometimes|previous|last|raced|shared|after|first-for-all|cache|nth|shifts|remembers|third/.test(
      id,
    ),
)

it('more input removes no failure', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...STEADY),
      fc.tuple(fc.nat({ max: 2 }), fc.boolean(), fc.boolean()),
      fc.tuple(fc.nat({ max: 2 }), fc.boolean(), fc.boolean()),
      async ({ defect }, [count, texts, auth], [moreCustomers, moreTexts, moreAuth]) => {
        const less = await checkParts(defect(), createOptions(count, texts, auth))
        const more = await checkParts(
          defect(),
          createOptions(Math.max(count, moreCustomers), texts || moreTexts, auth || moreAuth),
        )
        const [before, after] = [redRules(less), redRules(more)]
        const lost = before.filter((rule) => !after.includes(rule))
        // Without a customer, the only ID is an unknown one, so its failure has another rule.
        const isKept = count > 0 ? lost.length === 0 : before.length === 0 || after.length > 0
        expect({ isKept, lost }).toMatchObject({ isKept: true })
        for (const report of [less, more]) {
          expect(exitCodeOf(report, { strict: true })).toBeGreaterThanOrEqual(exitCodeOf(report))
        }
      },
    ),
    { numRuns: 60 },
  )
})
