import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { FetchDataResult } from '../../service/endpoint-client.ts'
import {
  type EndpointFailure,
  type FailureError,
  readIssues,
} from '../../service/endpoint-failures.ts'
import { explainFault } from '../faults/describe-effect.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { FailureErrorView, FailureView } from '../protocol/exchanges.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import type { MapStack } from '../store/map-stack.ts'

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
  result: FetchDataResult,
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
export function isCausedBy(effect: FaultEffect, outcome: string): boolean {
  return effect.type !== 'delay' || outcome === 'timeout'
}

/** Returns the source location of the first failure as its fix, if it is known. */
function locate(fix: string, [first]: readonly FailureView[]): string {
  const location = first?.error?.issues.length === 0 ? first.error.location : null
  return location == null ? fix : `Look at ${location.file}:${location.line}.`
}

/** Converts a failure for the workspace, with locations in the source files. */
function toFailureView(failure: EndpointFailure, mapStack: MapStack): FailureView {
  const { kind, section, component, stale, traceId, error } = failure
  return {
    kind,
    section: section ?? null,
    component: component ?? null,
    stale,
    traceId: traceId ?? null,
    error: error === undefined ? null : toErrorView(error, mapStack),
  }
}

function toErrorView(error: FailureError, mapStack: MapStack): FailureErrorView {
  const { name, message, stack } = error
  const mapped = stack === undefined ? undefined : mapStack(stack)
  return {
    name,
    message,
    stack: mapped?.stack ?? null,
    location: mapped?.location ?? null,
    issues: readIssues(error),
  }
}
