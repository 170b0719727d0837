import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { EndpointFailure } from '../../service/endpoint/endpoint-failures.ts'
import { dataFailureRule, failureFindings } from '../../service/response-rules/reported-failures.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { ReportFailure } from '../report/report.ts'
import { joinNames, PASSED, skipped, type CheckRule, type CheckViolation } from './rule.ts'

/** A failure, and the data fetch that reported it. */
interface Occurrence {
  readonly request: string
  readonly failure: EndpointFailure
  /** Whether the data fetch also failed when it was repeated. */
  readonly isOpen: boolean
}

const PROOF = 'restore the data source, and check again'

/** The rule about failures that an endpoint reports itself. */
export const failureRule: CheckRule = {
  ...dataFailureRule,
  evaluate(evidence) {
    const total = evidence.regular.length
    if (total === 0) return skipped('no response was received')
    const occurrences = findOccurrences(evidence)
    if (occurrences.length === 0) return PASSED
    const groups = Map.groupBy(
      occurrences,
      ({ isOpen, failure: { kind, component, stale, error } }) =>
        JSON.stringify([isOpen, kind, component, stale, error?.message]),
    )
    return {
      violations: Array.from(groups.values(), (group) => toViolation(group, total)),
      ...(occurrences.some(({ isOpen }) => isOpen) && { proof: PROOF }),
    }
  },
}

/**
 * Reports equal failures once, with the trace ID of the first, which is enough to
 * find the error.
 */
function toViolation(group: readonly Occurrence[], total: number): CheckViolation {
  const { failure, isOpen } = group[0]!
  const found = failureFindings([failure])[0]!
  const { kind, stale, error } = failure
  const frame = findOwnFrame(error?.stack)
  const requests = [...new Set(group.map(({ request }) => request))]
  const traces = [...new Set(group.flatMap((each) => each.failure.traceId ?? []))]
  const what = stale
    ? 'showed stale content'
    : isOpen
      ? 'failed, also when they were repeated'
      : 'failed, and succeeded when they were repeated'
  const count = `${requests.length} of ${total} data fetches ${what}: ${joinNames(requests, 2)}`
  const at = frame === undefined ? '' : `; at ${frame}`
  const ids = traces.length < 2 ? '' : `; trace IDs ${joinNames(traces, 10)}`
  return {
    ...found,
    message: escapeForDisplay(`${count}; ${kind}: ${found.message}${at}${ids}`, 1_000),
    // The contract allows a failing data source, and an endpoint that hides it would pass.
    fails: false,
  }
}

function findOccurrences(evidence: Evidence): readonly Occurrence[] {
  return evidence.regular.flatMap(({ name, failures, earlier = [] }) => {
    const open = failures.some(({ stale }) => !stale)
    const list = open || earlier.length === 0 ? failures : earlier
    return list.map((each) => ({ request: name, failure: each, isOpen: !each.stale && open }))
  })
}

/** Returns every failure that the endpoint reported on a regular data fetch. */
export function collectFailures(evidence: Evidence): readonly ReportFailure[] {
  const shorten = (text: string) => escapeForDisplay(text, 500)
  return findOccurrences(evidence).map(({ request, failure: { error, ...failure } }) => {
    if (error === undefined) return redactValue({ request, ...failure }, shorten)
    const { name, message, stack } = error
    const frame = findOwnFrame(stack)
    const shown = { name, message, ...(frame !== undefined && { frame }) }
    return redactValue({ request, ...failure, error: shown }, shorten)
  })
}

/** Matches stack frames that are not the user's own code. */
const FOREIGN = /node_modules|\.wrangler|\bnode:|<anonymous>|\bnative\b/

/**
 * Returns the location of the first stack frame in the user's own code, such as
 * `src/app.ts:12:9`.
 */
function findOwnFrame(stack: string | undefined): string | undefined {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s*at\s/.test(line))
  const ownFrame = frames.find((line) => !FOREIGN.test(line) && /:\d+/.test(line))
  return ownFrame?.trim().replace(/^at\s+/, '')
}
