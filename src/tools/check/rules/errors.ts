import { assumed, harm, inGroup, should } from '../../service/response-rule.ts'
import { findInternals, findSecret } from '../../service/response-rules/stack-trace.ts'
import { mediaType } from '../../service/endpoint/media-type.ts'
import type { Evidence } from '../probes/evidence.ts'
import { dropRepeated } from '../responses/leak.ts'
import { findPlace } from '../responses/leaks.ts'
import type { InvalidRequestProbe, Probe } from '../probe.ts'
import { findFirst, joinNames, notApplicable, PASSED, skipped, violation } from './rule.ts'
import type { CheckRule, RuleOutcome } from './rule.ts'

const SILENT = 'The response to a request that the service does not send is not specified.'

function evaluateInvalid(
  evidence: Evidence,
  describe: (probe: InvalidRequestProbe) => string | undefined,
  ...kinds: ReadonlyArray<InvalidRequestProbe['kind']>
) {
  const all = evidence.of('invalid')
  const probes = kinds.length === 0 ? all : all.filter(({ kind }) => kinds.includes(kind))
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

/** Finds the first text of a response in which a function finds something. */
function findIn(
  { exchange }: Probe,
  find: (text: string, label: string) => string | undefined,
  fix?: string,
) {
  let what: string | undefined
  const path = findPlace(exchange, (text, label) => (what = find(text, label)) !== undefined)
  return path === undefined ? undefined : { path, message: `shows ${what}`, ...(fix && { fix }) }
}

/** The rules about errors, in the order of reports. */
export const errorRules = inGroup<CheckRule>('errors', [
  {
    id: 'errors-request-type',
    title: 'A missing or unknown request_type is rejected',
    ...assumed('requests', SILENT, 'A6'),
    fix: 'Return 400 for any request_type other than verify and fetch_data.',
    why: 'An endpoint that treats every request as a data fetch will treat a future request type as one.',
    evaluate: (evidence) =>
      evaluateInvalid(evidence, describeSuccess, 'no_request_type', 'unknown_request_type'),
  },
  {
    id: 'errors-code-empty',
    title: 'A handshake without a code is rejected',
    ...assumed('handshake', SILENT, 'A6'),
    fix: 'Return 400 if the code is missing or empty.',
    why: 'Echoing an empty code looks like a successful handshake and hides that the parameter was never read.',
    evaluate: (evidence) => evaluateInvalid(evidence, describeSuccess, 'no_code', 'empty_code'),
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
    why: 'The endpoint is public. If a request stops its process, anyone can take the widget down. Every check ends with a pause and a handshake, because an error in a timer may end the process later.',
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
          // Some servers reject this request themselves, before the endpoint.
          !('kind' in probe && probe.kind === 'broken_encoding'),
      )
      if (pages.length === 0) {
        return evidence.of('invalid').length === 0 ? noInvalidRequests(evidence) : PASSED
      }
      return violation({ message: `${joinNames(pages.map(({ name }) => name))}: returned HTML` })
    },
  },
  {
    id: 'errors-stack',
    title: 'Responses contain no stack traces, queries, keys or passwords of servers',
    ...harm('requests', 'A response is a code or a payload. A stack trace discloses internals.'),
    fix: 'Log the error. Return a short message and an ID that identifies the log entry.',
    why: 'A stack trace reveals paths, packages and versions, and a connection string or a key opens the database. The usual cause is debug mode. A stack trace that appears in every data response is treated as content. The checker’s documentation lists the languages.',
    evaluate(evidence) {
      if (evidence.of('handshake', 'sample').length === 0) {
        return skipped('no response was received')
      }
      const isContent = evidence
        .of('sample')
        .some(({ ok, exchange }) => ok && findInternals(exchange.response?.text ?? ''))
      const unusual = evidence
        .with('unusual')
        .filter(({ exchange }) => !(isContent && isSuccess(exchange.response?.status)))
      const suspects = [...unusual, ...errorProbes(evidence)]
      return violation(
        findFirst(suspects, (probe) => findIn(probe, findInternals)) ??
          findFirst(dropRepeated(evidence.all), (probe) => findIn(probe, findSecret, FIX_SECRET)),
      )
    },
  },
])
