import { assumed, inGroup, must, should } from '../../service/response-rule.ts'
import { quote } from '../../internal/escape-for-display.ts'
import { describeContentType } from '../../service/responses/status.ts'
import { explainCard } from '../../service/endpoint/endpoint-failures.ts'
import { mediaType } from '../../service/endpoint/media-type.ts'
import { dataRules as responseRules } from '../../service/response-rules/data-response.ts'
import type { Evidence } from '../probes/evidence.ts'
import { hasCustomIds, isPassed } from '../customers.ts'
import { readObject } from '../../service/responses/reading.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import { findDuplicateKey } from '../../service/responses/duplicate-keys.ts'
import { selectRoles } from '../responses/roles.ts'
import { classifyDataFetches } from '../probes/probe-series.ts'
import { shows } from './isolation.ts'
import { dataRule } from './responses.ts'
import { countFailed, findFirst, joinNames, notApplicable, skipped, violation } from './rule.ts'
import type { CheckRule } from './rule.ts'

/** Returns whether a response says in JSON that something was not found. */
function isJsonError({ response }: Exchange): boolean {
  const { status, headers, text = '' } = response ?? {}
  const isJson = /[/+]json$/.test(mediaType(headers?.['content-type']) ?? '')
  return isJson && [400, 404, 422].includes(status ?? 0) && readObject(text) !== undefined
}

/** Returns whether IDs were passed that the endpoint may know. */
function passedIds({ settings }: Evidence): boolean {
  return settings.customers.some(({ ids }) => hasCustomIds(ids))
}

/** Returns whether there were payloads, but none with the data of a customer. */
export function sawOnlyCards(evidence: Evidence): boolean {
  const probes = evidence.with('regular').filter(({ payload }) => payload !== undefined)
  return probes.length > 0 && probes.every((probe) => probe.card !== undefined)
}

/** The rules about data fetches, in the order of reports. */
export const dataRules = inGroup<CheckRule>('data', [
  ...responseRules.map(dataRule),
  {
    id: 'data-consistent',
    title: 'Every data fetch succeeds',
    ...must('data-fetch', 'The response is a JSON object with the shape of the payload.'),
    fix: 'Look for differences between requests: another instance, a cold start, or a backend limit.',
    why: 'The service fetches data whenever an agent opens an issue. After a 503, the checker asks again.',
    evaluate(evidence) {
      const series = classifyDataFetches(evidence)
      const samples = evidence.of('sample')
      // Without passed IDs, the customer of the samples is made up, so other made-up customers
      // count as well.
      const others = [
        ...evidence.of('known', 'canary', 'repeatedData'),
        ...evidence.of('alone', 'connected').filter(({ customer }) => isPassed(customer)),
        ...(passedIds(evidence) ? [] : evidence.of('fake')),
      ]
      // If no response is readable, the rules about single responses report the reason.
      const isReadable = samples.some(({ payload }) => payload !== undefined)
      const failed = [...series.flaky, ...others].filter(({ payload }) => payload === undefined)
      const total = samples.length + others.length
      if (!isReadable || (failed.length === 0 && total < 2)) {
        return skipped('requires at least two data fetches')
      }
      const busy = selectRoles(evidence.all, ['discarded']).filter(
        (each) => 'payload' in each && each.exchange.response?.status === 503,
      )
      return failed.length > 0
        ? countFailed(failed, total, 'data fetches')
        : countFailed(busy, total, 'data fetches', { fails: false })
    },
  },
  {
    id: 'data-unknown',
    isHarmful: true,
    title: 'Unknown customers get a payload',
    ...must('data-fetch', 'The response is a JSON object with the shape of the payload.'),
    fix: 'Return 200 with a text component that says that the customer is not known.',
    why: 'An issue of a customer that your system does not know is a normal case. A server error, no response, HTML or anything but a JSON object fails. A 400, 404 or 422 with a JSON object is only a warning.',
    evaluate(evidence) {
      // Without passed IDs, every customer is unknown, and the other rules cover this one.
      if (!passedIds(evidence)) return notApplicable('no IDs of a known customer were passed')
      const probes = evidence
        .of('fake', 'alone', 'connected')
        .filter(({ customer }) => !isPassed(customer))
      if (probes.length === 0) return skipped('no data was returned for known customers')
      const failed = probes.filter(({ payload }) => payload === undefined)
      const bad = failed.filter(({ exchange }) => !isJsonError(exchange))
      const fails = bad.length > 0
      const what = 'data fetches for unknown customers'
      return countFailed(fails ? bad : failed, probes.length, what, { fails })
    },
  },
  shows,
  {
    id: 'data-content-type-exact',
    title: 'The data response is application/json',
    ...should('data-fetch', 'The Content-Type of a data response is not specified.'),
    fix: 'Set Content-Type to application/json.',
    why: 'Without a Content-Type, the client has to guess, and a browser may guess HTML.',
    evaluate(evidence) {
      const { passed } = classifyDataFetches(evidence)
      if (passed.length === 0) return skipped('no data response was JSON')
      const types = passed.map(({ exchange }) => exchange.response?.headers['content-type'])
      const wrong = types.filter((type) => mediaType(type) !== 'application/json')
      const message = `the Content-Type is ${describeContentType(wrong[0])}`
      return violation(wrong.length > 0 ? { message } : undefined)
    },
  },
  {
    id: 'data-duplicate-keys',
    title: 'JSON objects contain each name only once',
    ...should('data-fetch', 'Whether an object may contain a name twice is not specified.'),
    fix: 'Build the JSON from a data structure with a JSON library.',
    why: 'Parsers disagree about which of two values counts (RFC 8259, section 4), so the service may show a different value from your tests.',
    evaluate(evidence) {
      const probes = evidence.with('payload').filter(({ payload }) => payload !== undefined)
      if (probes.length === 0) return skipped('no payload was received')
      const found = findFirst(probes, ({ exchange }) => {
        const key = findDuplicateKey(exchange.response?.text ?? '')
        if (key === undefined) return undefined
        return { message: `an object has the name ${quote(key, 60)} twice` }
      })
      return violation(found)
    },
  },
  {
    id: 'data-outcome',
    title: 'Known customers have data',
    ...assumed('data-fetch', 'How an endpoint says that a customer is unknown is not specified.'),
    fix: 'Pass the IDs of a customer that the endpoint knows.',
    why: 'A widget that says "no customer found" conforms to the contract and proves nothing about the widget that agents need. Sidecard apps name this outcome in the header `x-sidecard-outcome`. The rule only applies to customers whose IDs you pass.',
    evaluate(evidence) {
      if (!passedIds(evidence)) return notApplicable('no IDs of a known customer were passed')
      const probes = evidence.of('sample', 'known').filter(({ payload }) => payload !== undefined)
      if (probes.length === 0) return skipped('no payload was received')
      const withCard = probes.filter(({ card }) => card !== undefined)
      const byCustomer = Map.groupBy(withCard, ({ customer }) => customer.name)
      const names = Array.from(byCustomer.values(), ([first]) => first!.name)
      const card = withCard[0]?.card && explainCard(withCard[0].card)
      return violation(card && { ...card, message: `${joinNames(names)}: ${card.message}` })
    },
  },
])
