import { readIssues } from '../../service/endpoint-failures.ts'
import type { EndpointFailure, FailureError } from '../../service/endpoint-failures.ts'
import type { FailureErrorView, FailureView } from '../protocol/exchanges.ts'
import type { MapStack } from '../store/map-stack.ts'

/** Converts a failure for the workspace, with locations in the source files. */
export function toFailureView(failure: EndpointFailure, mapStack: MapStack): FailureView {
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
