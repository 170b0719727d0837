import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { HandshakeResult } from '../../service/endpoint-client.ts'
import type { Exchange } from '../../service/exchange.ts'
import { ruleForHandshakeFailure } from '../../service/rules/index.ts'
import { explainFault } from '../faults/describe-effect.ts'
import type { FaultEffect } from '../faults/rules.ts'
import { isCausedBy } from './assess-data.ts'
import type { ExchangeContext } from './exchange-log.ts'

/** The result of a handshake, for a developer. It contains no header values of the app. */
type AssessedHandshake = Pick<
  ExchangeContext,
  'outcome' | 'message' | 'fix' | 'explanation' | 'failures' | 'findings' | 'injected'
>

/** Assesses a handshake. Effects of an injected fault are not attributed to the endpoint. */
export function assessHandshake(
  result: HandshakeResult,
  redact: Redact,
  injected: FaultEffect | null,
): AssessedHandshake {
  const assessed = { message: '', fix: '', explanation: null, failures: [], findings: [], injected }
  if (result.ok) return { ...assessed, outcome: 'connected' }
  const { reason: outcome, message, fix, findings, exchange } = result
  const saw = describeRequest(exchange)
  if (injected !== null && isCausedBy(injected, outcome)) {
    const explanation = redactValue({ saw, why: 'The endpoint is not the cause.' }, redact)
    return { ...assessed, outcome, explanation, ...explainFault(injected) }
  }
  const why = ruleForHandshakeFailure(outcome).why.replaceAll('`', '')
  const explanation = redactValue({ saw: `${saw} ${describeResponse(exchange)}`, why }, redact)
  return { ...assessed, outcome, message, fix, findings, explanation }
}

function describeRequest({ request }: Exchange): string {
  const { origin, pathname } = new URL(request.url)
  const names = request.headerNames
  const headers =
    names.length === 0
      ? 'no custom headers'
      : `the custom header${names.length === 1 ? '' : 's'} ${names.join(', ')}`
  return `The service sent GET ${origin}${pathname} with request_type=verify, a code, and ${headers}.`
}

function describeResponse({ response }: Exchange): string {
  if (response === undefined) return 'It received no complete response.'
  const type = response.headers['content-type']
  return `It received status ${response.status}${type === undefined ? '' : ` with Content-Type ${type}`}.`
}
