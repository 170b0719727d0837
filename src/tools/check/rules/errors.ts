import { assumed, harm, inGroup, should } from '../../service/response-rule.ts'
import {
  findEncodedInternals,
  findInHeader,
  findInternals,
} from '../../service/response-rules/internals.ts'
import { findSecret } from '../../service/response-rules/stack-trace.ts'
import { mediaType } from '../../service/endpoint/media-type.ts'
import type { Evidence } from '../probes/evidence.ts'
import { readResponse, type ResponseText } from '../../service/responses/reading.ts'
import { dropRepeated } from '../responses/leak.ts'
import type { InvalidRequestProbe, Probe } from '../probe.ts'
import { findFirst, joinNames, notApplicable, PASSED, skipped, violation } from './rule.ts'
import type { CheckRule, RuleOutcome } from './rule.ts'

const SILENT = 'The response to a request that the service does not send is not specified.'

function evaluateInvalid(
  evidence: Evidence,
  describe: (probe: InvalidRequestProbe) => string | undefined,
  kind?: InvalidRequestProbe['kind'],
) {
  const probes = evidence.of('invalid').filter((each) => (kind ?? each.kind) === each.kind)
  if (probes.length === 0) return noInvalidRequests(evidence)
  const violations = probes.flatMap((probe) => {
    const message = describe(probe)
    return message === undefined ? [] : [{ message: `${probe.name}: ${message}` }]
  })
  return { violations }
}

function describeSuccess({ exchange }: InvalidRequestProbe): string | undefined {
  return isSuccess(exchange.response?.status) ? 'returned a success status' : undefined
}

function noInvalidRequests({ settings: { profile } }: Evidence): RuleOutcome {
  return profile === 'full'
    ? skipped('no response was received')
    : notApplicable(`no invalid requests are sent (profile ${profile})`)
}

/** Returns every probe whose response has an error status, even if it was expected. */
function errorProbes(evidence: Evidence) {
  return evidence.all.filter(({ exchange }) => (exchange.response?.status ?? 0) >= 400)
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function describeServerError({ exchange: { failure, response } }: Probe): string | undefined {
  if (failure !== undefined) return `failed: ${failure.message}`
  return (response?.status ?? 0) >= 500 ? `returned ${response?.status}` : undefined
}

const FIX_SECRET = 'Remove it from the response, and replace a key or a password that was shown.'

type Find = (part: ResponseText) => string | undefined

/** Finds the first text of a response in which a function finds something. */
function findIn({ exchange: { response } }: Probe, find: Find, fix?: string) {
  for (const part of response === undefined ? [] : readResponse(response)) {
    const what = find(part)
    if (what) return { path: part.path, message: `shows ${what}`, ...(fix && { fix }) }
  }
  return undefined
}

const inBody: Find = ({ isHeader, text }) =>
  isHeader ? undefined : (findInternals(text) ?? findEncodedInternals(text))
const asSecret: Find = ({ text, field, isName }) => findSecret(text, isName ? '' : field)

/** The rules about errors, in the order of reports. */
export const errorRules = inGroup<CheckRule>('errors', [
  {
    id: 'errors-request-type',
    title: 'A missing or unknown request_type is rejected',
    ...assumed('requests', SILENT, 'A6'),
    fix: 'Return 400 for any request_type other than verify and fetch_data.',
    why: 'An endpoint that treats every request as a data fetch will treat a future request type as one.',
    evaluate: (evidence) => evaluateInvalid(evidence, describeSuccess, 'request_type'),
  },
  {
    id: 'errors-code-empty',
    title: 'A handshake without a code is rejected',
    ...assumed('handshake', SILENT, 'A6'),
    fix: 'Return 400 if the code is missing or empty.',
    why: 'Echoing an empty code looks like a successful handshake and hides that the parameter was never read.',
    evaluate: (evidence) => evaluateInvalid(evidence, describeSuccess, 'code'),
  },
  {
    id: 'errors-server',
    title: 'Invalid requests do not cause server errors',
    ...assumed('requests', SILENT, 'A6'),
    fix: 'Validate parameters before using them, and return 400.',
    why: 'A 500, a hang or a closed connection can alert the on-call engineer just because a caller omitted a parameter.',
    evaluate(evidence) {
      // An endpoint that also fails at valid requests does not fail because of an invalid one.
      const valid = [...evidence.of('handshake'), ...evidence.regular]
      const usual = valid.map(describeServerError)
      return evaluateInvalid(evidence, (probe) => {
        const problem = describeServerError(probe)
        return usual.includes(problem) ? undefined : problem
      })
    },
  },
  {
    id: 'errors-survive',
    title: 'The endpoint still responds after the check',
    ...harm('handshake', 'The endpoint must respond. A crash that anyone can trigger is harmful.'),
    fix: 'Catch errors and rejections in handlers, and return an error response instead of exiting.',
    why: 'The endpoint is public. If a request stops its process, anyone can take the widget down. Every check ends with a handshake after a pause.',
    evaluate(evidence) {
      const [last] = evidence.of('last')
      if (last === undefined) return skipped('no final handshake was sent')
      const problem = describeServerError(last)
      if (problem === undefined) return PASSED
      return evidence.of('handshake').every((each) => describeServerError(each) !== undefined)
        ? skipped('no handshake succeeded before')
        : violation({ message: `the final handshake ${problem}` })
    },
  },
  {
    id: 'errors-html',
    title: 'Error responses are not HTML',
    ...should('requests', SILENT),
    fix: 'Return errors as application/json or application/problem+json.',
    why: 'Default error pages often echo the URL, including text supplied by the caller, as HTML on your domain.',
    evaluate(evidence) {
      const pages = errorProbes(evidence).filter(
        (probe) =>
          mediaType(probe.exchange.response?.headers['content-type']) === 'text/html' &&
          // Some servers reject this request themselves, and a browser accepts HTML.
          !('kind' in probe && probe.kind === 'encoding') &&
          !/from a (?:page|browser)$/.test(probe.name),
      )
      if (pages.length === 0) {
        return evidence.of('invalid').length === 0 ? noInvalidRequests(evidence) : PASSED
      }
      return violation({ message: `${joinNames(pages.map(({ name }) => name))}: returned HTML` })
    },
  },
  {
    id: 'errors-stack',
    title: 'Responses reveal no server errors, internal hosts, keys or passwords',
    ...harm('requests', 'A response is a code or a payload. A stack trace discloses internals.'),
    fix: 'Log the error. Return a short message and an ID that identifies the log entry.',
    why: 'A stack trace reveals paths and versions, and a key opens the database. The usual cause is debug mode. Internal hosts are found in headers only. An error in the data of a known customer is treated as content.',
    evaluate(evidence) {
      if (evidence.of('handshake', 'sample').length === 0) {
        return skipped('no response was received')
      }
      const isContent = evidence
        .of('sample', 'known')
        .some((probe) => probe.ok && findIn(probe, inBody) !== undefined)
      // A made-up customer has no data, so its sidebar shows no errors of the customer's systems.
      const unusual = [...evidence.with('unusual'), ...evidence.of('fake')].filter(
        ({ exchange }) => !(isContent && isSuccess(exchange.response?.status)),
      )
      const inHeader: Find = (part) =>
        part.isHeader ? findInHeader(part.field, part.text, evidence.url.host) : undefined
      const all = dropRepeated(evidence.all)
      const found =
        findFirst([...unusual, ...errorProbes(evidence)], (probe) => findIn(probe, inBody)) ??
        findFirst(all, (probe) => findIn(probe, inHeader)) ??
        findFirst(all, (probe) => findIn(probe, asSecret, FIX_SECRET))
      return violation(found)
    },
  },
])
