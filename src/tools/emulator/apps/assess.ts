import type { Redact } from '../../../runtime/internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { DataFetchResult, HandshakeResult } from '../../service/endpoint-client.ts'
import { type EndpointFailure, readIssues } from '../../service/endpoint/endpoint-failures.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import { ruleForHandshakeFailure } from '../../service/response-rules/index.ts'
import { explainFault } from '../faults/effects.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { FailureErrorView, FailureView } from '../protocol/exchanges.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import type { MapStack } from '../store/map-stack.ts'
import type { ExchangeContext } from '../core/exchange-log.ts'

/**
 * The result of a data fetch, for an agent and a developer. It contains no header
 * values of the app.
 */
export type AssessedData = Pick<
  WidgetView,
  'outcome' | 'payload' | 'value' | 'message' | 'fix' | 'failures' | 'findings' | 'injected'
>

/** Assesses a data fetch. Effects of an injected fault are not attributed to the endpoint. */
export function assessData(
  result: DataFetchResult,
  redact: Redact,
  mapStack: MapStack,
  injected: FaultEffect | null,
): AssessedData {
  const { outcome, payload = null, value = null, message, fix, findings } = result
  if (injected !== null && isCausedBy(injected, outcome)) {
    const nothing = { payload: null, value: null, failures: [], findings: [] }
    return { outcome, injected, ...nothing, ...explainFault(injected) }
  }
  const failures = result.failures.map((failure) => toFailureView(failure, mapStack))
  const shown = redactValue({ payload, value }, redact)
  return { outcome, injected, ...shown, message, fix: locate(fix, failures), failures, findings }
}

/** Returns whether the fault, and not the endpoint, caused the outcome. */
function isCausedBy(effect: FaultEffect, outcome: string): boolean {
  return effect.type !== 'delay' || outcome === 'timeout'
}

/** Returns the source location of the first unexpected failure as its fix, if it is known. */
function locate(fix: string, failures: readonly FailureView[]): string {
  const first = failures.find(({ intended }) => !intended)
  const location = first?.error?.issues.length === 0 ? first.error.location : null
  return location == null ? fix : `Look at ${location.file}:${location.line}.`
}

/** Converts a failure for the workspace, with locations in the source files. */
function toFailureView({ error, ...failure }: EndpointFailure, mapStack: MapStack): FailureView {
  const absent = { section: null, component: null, traceId: null }
  return { ...absent, ...failure, error: error === undefined ? null : toErrorView(error, mapStack) }
}

function toErrorView(
  error: NonNullable<EndpointFailure['error']>,
  mapStack: MapStack,
): FailureErrorView {
  const { name, message, stack } = error
  const mapped = stack === undefined ? { stack: null, location: null } : mapStack(stack)
  return { name, message, ...mapped, issues: readIssues(error) }
}

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
