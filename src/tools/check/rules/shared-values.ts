import { readPayload } from '../../service/responses/reading.ts'
import { assumed } from '../../service/response-rule.ts'
import { isPassed, isRelated } from '../customers.ts'
import { agreedValues } from '../responses/mixed-values.ts'
import { type CheckRule, notApplicable, PASSED, skipped, violation } from './rule.ts'

/** Matches a time, but not the start of a day, at which periods of many customers begin. */
const TIME = /^\d{4}-\d\d-\d\dt(?!00:00)/

/** Matches an amount, such as `eur 1,249.50`, or a code, such as `inv-71220`. */
const NUMBER =
  /^(?:[\p{Sc}a-z]{1,3} ?)?(?=(?:\D*\d){5})\d[\d.,']*(?: ?[\p{Sc}a-z]{1,3})?$|^[a-z]{1,5}-?\d{4,}$/u

/** Returns whether two customers rarely share a value. A time of today may be the current one. */
function isIdentifying(text: string): boolean {
  const isFar = Math.abs(Date.parse(text.toUpperCase()) - Date.now()) > 86_400_000
  return (TIME.test(text) && isFar) || NUMBER.test(text)
}

/** The rule that the sidebars of two customers do not show the same number, code or time. */
export const sharedValues: CheckRule = {
  id: 'security-shared-values',
  group: 'security',
  isAdvice: true,
  title: 'Two customers do not show the same number, code or time',
  ...assumed('data-fetch', '`account_id`: ID of the account that owns the issue.'),
  fix: 'Compare the value with your records. It may come from a cache without the customer in its key.',
  why: 'If a value is cached once for all, both customers seem to have it. Two customers rarely have the same invoice, amount or time. A value that unknown customers see as well is not reported.',
  evaluate({ of }) {
    const reads = of('sample', 'known', 'alone')
    const byCustomer = Object.groupBy(reads, ({ customer }) => customer.name)
    const all = Object.values(byCustomer).map((own = []) => {
      const values = [...agreedValues(own)].filter(([place]) => !place.endsWith('url'))
      return { probe: own[0], values: new Set(values.flatMap(([, texts = []]) => [...texts])) }
    })
    const passed = all.filter(({ probe }) => probe && isPassed(probe.customer))
    if (passed.length < 2) return notApplicable('fewer than two customers were passed')
    if (passed.some(({ values }) => values.size === 0)) return skipped('no data was returned')
    for (const { probe, values } of passed) {
      const others = all.filter((each) => !isRelated(probe!.customer, each.probe!.customer))
      const shared = readPayload(probe?.payload).texts.find(({ text }) => {
        const having = others.filter((each) => each.values.has(text)).length
        return values.has(text) && isIdentifying(text) && having > 0 && having < others.length
      })
      const other = others.find((each) => each.values.has(shared?.text ?? ''))
      if (shared === undefined || other === undefined) continue
      const names = [probe, other.probe].map((each) => each?.customer.name).join(' and ')
      return violation({ path: shared.path, message: `${names} show the same value` })
    }
    return PASSED
  },
}
