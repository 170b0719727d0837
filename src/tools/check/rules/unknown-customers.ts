import { containsText, isTooShort } from '../../internal/shown-text.ts'
import { harm } from '../../service/response-rule.ts'
import { hasCustomIds, isPassed } from '../customers.ts'
import { readObject, readPayload } from '../../service/responses/reading.ts'
import type { DataProbe } from '../probe.ts'
import { type CheckRule, notApplicable, PASSED, skipped, unproven, violation } from './rule.ts'

const PROOF = "pass a text that only unknown customers see: --unknown-shows 'No subscription'"

/** The rule that a customer that cannot exist gets nobody’s data. */
export const unknownCustomers: CheckRule = {
  id: 'security-unknown',
  group: 'security',
  title: 'Unknown customers get nobody’s data',
  ...harm('data-fetch', '`account_id`: ID of the account that owns the issue.'),
  fix: 'Return a text component that says that the customer is not known. Never fall back to a default customer.',
  why: 'A lookup may fall back to a default customer, whose data the checker does not know. If an invented customer gets the components of a passed one, the run is not proven, unless you pass the texts that unknown customers see. Then it fails if one sees none of them.',
  evaluate(evidence) {
    const { of, settings, with: select } = evidence
    if (!settings.customers.some(({ ids }) => hasCustomIds(ids))) {
      return notApplicable('no IDs of a known customer were passed')
    }
    const probes = select('identity').filter(({ payload }) => payload !== undefined)
    const known = probes.filter(
      (each) => isPassed(each.customer) && each.card === undefined && !each.isPassedId,
    )
    if (known.length === 0) return skipped('no data was returned for known customers')
    const invented = probes.filter(({ customer }) => !isPassed(customer))
    // A text that known customers see as well says nothing about unknown ones.
    const texts = settings.unknown.shows.filter(
      (text) => !known.some((each) => showsText(each, text)),
    )
    const isExplained = (probe: Pick<DataProbe, 'payload'>) =>
      texts.some((text) => showsText(probe, text))
    const other = invented.find(
      (each) => each.role !== 'absentIds' && each.role !== 'emptyIds' && !isExplained(each),
    )
    if (texts.length > 0 && other !== undefined) {
      return violation({ message: `${other.name}: shows none of the texts of unknown customers` })
    }
    const kinds = new Set(known.map(({ payload }) => readPayload(payload).kinds).filter(Boolean))
    const labels = new Set([...kinds].flatMap((each) => each.split('\n')))
    const isLike = (payload: object | undefined) => {
      const own = readPayload(payload).kinds.split('\n')
      const shared = own.filter((label) => labels.has(label))
      return kinds.has(own.join('\n')) || (shared.length > 3 && shared.length > own.length * 0.6)
    }
    const operators = of('invalid').map((each) => ({
      ...each,
      payload: readObject(each.exchange.response?.text),
    }))
    const like = [...invented, ...operators].find(
      (each) => isLike(each.payload) && !isExplained(each),
    )
    return like === undefined
      ? PASSED
      : unproven(`${like.name}: an unknown customer got the components of a known one`, PROOF)
  },
}

/** Returns whether a payload contains a text, or shows a short one, such as a dash, alone. */
function showsText({ payload }: Pick<DataProbe, 'payload'>, wanted: string): boolean {
  const short = isTooShort(wanted) ? wanted.trim().toLowerCase() : undefined
  const { texts } = readPayload(payload)
  return texts.some(({ text }) => (short ? text === short : containsText(text, wanted)))
}
