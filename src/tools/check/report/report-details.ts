import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { Evidence } from '../probes/evidence.ts'
import { formatCurl } from '../../service/endpoint/curl.ts'
import type { RequestRecord } from './report.ts'

/** Returns the payload of the first valid data fetch, without the tokens of action links. */
export function findSidebarPayload({ of }: Evidence) {
  const probe = of('sample', 'known').find(
    ({ payload, findings }) =>
      payload !== undefined && findings.every(({ level }) => level !== 'MUST'),
  )
  return probe?.payload && redactValue(probe.payload, normalizeActionLinks)
}

/** Creates the records of all requests of a check. */
export function createRequestRecords(evidence: Evidence): readonly RequestRecord[] {
  const own = new Set(evidence.url.searchParams.keys())
  const ids = evidence.settings.customers.flatMap((customer) => Object.values(customer.ids))
  const isHidden = (name: string, value: string) =>
    own.has(name) ||
    (ids.includes(value) && FETCH_DATA_PARAMETERS.some((parameter) => parameter === name))
  return [...evidence.all, ...evidence.rateLimited].map((probe) => {
    const { request, response, failure, durationMs } = probe.exchange
    return {
      name: probe.name,
      ...(response !== undefined && { status: response.status }),
      durationMs: Math.round(durationMs),
      ...(failure !== undefined && { failure: failure.message }),
      curl: formatCurl(request.url, request.headerNames, isHidden),
    }
  })
}
