import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { Probe } from '../probe.ts'
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
  return [...evidence.all, ...evidence.rateLimited].map((probe) => {
    const { response, failure, durationMs } = probe.exchange
    return {
      name: probe.name,
      ...(response !== undefined && { status: response.status }),
      durationMs: Math.round(durationMs),
      ...(failure !== undefined && { failure: failure.message }),
      curl: toCurl(probe, evidence),
    }
  })
}

/** Formats a request as a cURL command, with shell variables for secrets and passed IDs. */
function toCurl({ exchange }: Probe, { url: own, settings }: Evidence): string {
  const url = new URL(exchange.request.url)
  const ownParameters = new Set(own.searchParams.keys())
  const customerIds = settings.customers.flatMap(({ ids }) => Object.values(ids))
  const query = url.search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [[name, value] = ['', '']] = [...new URLSearchParams(pair)]
      const isPassed =
        customerIds.includes(value) && FETCH_DATA_PARAMETERS.some((parameter) => parameter === name)
      return isPassed || ownParameters.has(name)
        ? `${inShell(pair.replace(/=.*/s, ''))}=${variable(name)}`
        : inShell(pair)
    })
  const address = `${inShell(`${url.origin}${url.pathname}`)}${query.length === 0 ? '' : '?'}${query.join('&')}`
  const headers = exchange.request.headerNames.map(
    (name) => `-H "${inShell(name)}: ${variable(name)}"`,
  )
  return ['curl', ...headers, `"${address}"`].join(' ')
}

function variable(name: string): string {
  return `$${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`
}

function inShell(text: string): string {
  return text.replaceAll(/["\\$`]/g, (mark) => `\\${mark}`)
}
