import { mediaType } from '../../desk/media-type.ts'
import type { Evidence, OddProbe, Probe } from '../probe.ts'
import { findStackTrace } from '../stack-trace.ts'
import { fault, KEPT, list, skipped } from './rule.ts'
import type { CheckRule } from './rule.ts'

const NO_ODD = 'odd requests are sent to an endpoint only once it keeps the contract'
const SILENT = 'How an endpoint answers a request that the service does not send is not shown.'

const requestType: CheckRule = {
  id: 'errors-request-type',
  group: 'errors',
  level: 'ASSUMED',
  assumption: 'A6',
  title: 'A missing or unknown request_type gets no data',
  contract: { says: SILENT, anchor: 'requests', basis: 'silence' },
  fix: 'Answer 400 to a request_type that is neither verify nor fetch_data.',
  why: 'An endpoint that takes everything for a data fetch also does so on the day a third type appears.',
  judge: ({ odd }) =>
    judgeOdd(odd, ['no_request_type', 'unknown_request_type'], ({ exchange }) =>
      isSuccess(exchange.response?.status) ? 'is answered as if it were right' : undefined,
    ),
}

const emptyCode: CheckRule = {
  id: 'errors-code-empty',
  group: 'errors',
  level: 'ASSUMED',
  assumption: 'A6',
  title: 'A handshake without a code does not succeed',
  contract: { says: SILENT, anchor: 'handshake', basis: 'silence' },
  fix: 'Answer 400 to a handshake whose code is absent or empty.',
  why: 'Echoing nothing looks like a handshake that worked, and hides that the parameter was not read.',
  judge: ({ odd }) =>
    judgeOdd(odd, ['no_code', 'empty_code'], ({ exchange }) =>
      isSuccess(exchange.response?.status) ? 'is answered with success' : undefined,
    ),
}

const server: CheckRule = {
  id: 'errors-server',
  group: 'errors',
  level: 'ASSUMED',
  assumption: 'A6',
  title: 'An odd request does not look like a fault of the server',
  contract: { says: SILENT, anchor: 'requests', basis: 'silence' },
  fix: 'Check the parameters before they are used, and answer 400.',
  why: 'A status of 500, a hang or a closed connection wakes somebody up at night because a stranger left a parameter out.',
  judge: ({ odd }) =>
    judgeOdd(
      odd,
      odd.map(({ kind }) => kind),
      (probe) => {
        const { response, failure } = probe.exchange
        if (failure !== undefined) return `fails: ${failure.message}`
        return (response?.status ?? 0) >= 500 ? `is answered ${response?.status}` : undefined
      },
    ),
}

const survive: CheckRule = {
  id: 'errors-survive',
  group: 'errors',
  level: 'MUST',
  title: 'The endpoint survives odd requests',
  contract: {
    says: 'The endpoint must answer the handshake. That anyone can stop it from outside is harm.',
    anchor: 'handshake',
    basis: 'harm',
  },
  fix: 'Catch what a handler throws or rejects with, and answer instead of ending the process.',
  why: 'An endpoint has a public address. If a request with a parameter left out ends its process, anybody can switch the widget off.',
  judge({ afterwards, odd }) {
    if (odd.length === 0) return skipped(NO_ODD)
    if (afterwards === undefined || afterwards.verdict.ok) return KEPT
    if (afterwards.exchange.failure === undefined) return KEPT
    return fault({ message: `afterwards the handshake fails: ${afterwards.verdict.message}` })
  },
}

const html: CheckRule = {
  id: 'errors-html',
  group: 'errors',
  level: 'SHOULD',
  title: 'Errors are not HTML',
  contract: { says: SILENT, anchor: 'requests', basis: 'silence' },
  fix: 'Answer errors as application/json or application/problem+json.',
  why: 'The default error page of a framework often repeats the address, and with it whatever a stranger put there, as HTML on your domain.',
  judge(evidence) {
    const pages = errorProbes(evidence).filter(
      ({ exchange }) => mediaType(exchange.response?.headers['content-type']) === 'text/html',
    )
    if (pages.length === 0) return evidence.odd.length === 0 ? skipped(NO_ODD) : KEPT
    return fault({ message: `${list(pages.map(({ name }) => name))}: answered as HTML` })
  },
}

const stack: CheckRule = {
  id: 'errors-stack',
  group: 'errors',
  level: 'MUST',
  title: 'No answer shows a stack trace',
  contract: {
    says: 'An answer is the code or the payload. What a stack trace gives away is harm already done.',
    anchor: 'requests',
    basis: 'harm',
  },
  fix: 'Log the error, and answer with a short text and an id that finds it in the log.',
  why: 'A stack trace tells strangers your paths, packages and versions, and agents nothing. Debug mode that was left on is the usual cause. A trace that every data answer shows is taken for content.',
  judge(evidence) {
    const content = evidence.samples.some(
      ({ verdict, exchange }) =>
        verdict.ok && findStackTrace(exchange.response?.text ?? '') !== undefined,
    )
    const { absentIds, emptyIds, specialEmail } = evidence.parameters
    const unusual = [...evidence.odd, absentIds, emptyIds, specialEmail].filter(
      (probe) => probe !== undefined && !(content && isSuccess(probe.exchange.response?.status)),
    )
    const suspects = [...unusual, ...errorProbes(evidence)].filter((probe) => probe !== undefined)
    for (const { name, exchange } of suspects) {
      const language = findStackTrace(exchange.response?.text ?? '')
      if (language !== undefined)
        return fault({ message: `${name}: shows a stack trace (${language})` })
    }
    return KEPT
  },
}

function judgeOdd(
  odd: readonly OddProbe[],
  kinds: ReadonlyArray<OddProbe['kind']>,
  judge: (probe: OddProbe) => string | undefined,
) {
  if (odd.length === 0) return skipped(NO_ODD)
  const faults = odd
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((probe) => {
      const message = judge(probe)
      return message === undefined ? [] : [{ message: `${probe.name}: ${message}` }]
    })
  return { faults }
}

/** Every answer that says it is an error. */
function errorProbes(evidence: Evidence): readonly Probe[] {
  const { odd, handshakes, samples, customers, auth } = evidence
  const refused = [...auth.handshake, ...auth.data].map(({ probe }) => probe)
  return [...odd, ...handshakes, ...samples, ...customers, ...refused].filter(
    ({ exchange }) => (exchange.response?.status ?? 0) >= 400,
  )
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Every rule of errors, in the order of the reports. */
export const errorRules: readonly CheckRule[] = [
  requestType,
  emptyCode,
  server,
  survive,
  html,
  stack,
]
