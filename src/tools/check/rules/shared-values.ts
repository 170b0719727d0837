import { readPayload } from '../../service/responses/reading.ts'
import { assumed } from '../../service/response-rule.ts'
import { isPassed, isRelated } from '../customers.ts'
import type { DataProbe } from '../probe.ts'
import { customersOf } from '../responses/roles.ts'
import { type CheckRule, notApplicable, PASSED, skipped, violation } from './rule.ts'

/** Matches a code, such as `inv-71220`, but not a period, such as `fy2026`. */
const CODE = /(?<![\w-])[a-z]{1,5}-?(?!(?:19|20)\d\d(?!\d))\d{4,}(?![\w-])/g

/** The rule that the sidebars of two customers do not show the same code. */
export const sharedValues: CheckRule = {
  id: 'security-shared-values',
  group: 'security',
  isAdvice: true,
  title: 'Two customers do not show the same code',
  ...assumed('data-fetch', '`account_id`: ID of the account that owns the issue.'),
  fix: 'Compare the value with your records. It may come from a cache without the customer in its key.',
  why: 'A value may be cached once for all, or a list may run into that of the next customer. Two customers rarely have the same invoice or contract. A code that unknown customers see as well is not reported.',
  evaluate({ of, settings }) {
    if (settings.customers.length < 2) return notApplicable('fewer than two customers were passed')
    const reads = of('sample', 'known', 'alone').filter(({ payload }) => payload !== undefined)
    const all = customersOf(reads).map(({ name }) => {
      const probe = reads.find(({ customer }) => customer.name === name)!
      return { probe, codes: codesIn(probe) }
    })
    const passed = all.filter(({ probe }) => isPassed(probe.customer))
    if (passed.length < 2) return skipped('no data was returned')
    for (const { probe, codes } of passed) {
      const others = passed.filter((each) => !isRelated(probe.customer, each.probe.customer))
      const shared = [...codes].find(
        ([code]) =>
          others.some((each) => each.codes.has(code)) && !all.every((each) => each.codes.has(code)),
      )
      if (shared === undefined) continue
      const message = `a different customer sees a code of ${probe.customer.name} as well`
      return violation({ path: shared[1], message })
    }
    return PASSED
  },
}

/** Returns the codes in a payload, except for those in URLs, with the path of each. */
function codesIn({ payload }: DataProbe): ReadonlyMap<string, string> {
  const texts = readPayload(payload).texts.filter(({ place }) => !place.endsWith('url'))
  return new Map(
    texts.flatMap(({ text, path }) => (text.match(CODE) ?? []).map((code) => [code, path])),
  )
}
