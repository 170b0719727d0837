import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import type { EndpointFailure } from '../../service/endpoint/endpoint-failures.ts'
import { dataFailureRule, failureFindings } from '../../service/response-rules/reported-failures.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { ReportFailure } from '../report/report.ts'
import { joinNames, PASSED, skipped, type CheckRule, type CheckViolation } from './rule.ts'

/** A failure, and the data fetch that reported it. */
interface Occurrence {
  readonly request: string
  readonly failure: EndpointFailure
}

const failure: CheckRule = {
  ...dataFailureRule,
  evaluate(evidence) {
    const total = evidence.with('regular').length
    if (total === 0) return skipped('no response was received')
    const occurrences = findOccurrences(evidence)
    if (occurrences.length === 0) return PASSED
    const groups = Map.groupBy(occurrences, ({ failure: { kind, component, stale, error } }) =>
      JSON.stringify([kind, component, stale, error?.message]),
    )
    return { violations: [...groups.values()].map((group) => toViolation(group, total)) }
  },
}

/**
 * Reports equal failures once, with the trace ID of the first, which is enough to
 * find the error.
 */
function toViolation(group: readonly Occurrence[], total: number): CheckViolation {
  const [first] = group
  const [found] = first === undefined ? [] : failureFindings([first.failure])
  if (first === undefined || found === undefined) return { message: '' }
  const { kind, stale, error } = first.failure
  const frame = findOwnFrame(error?.stack)
  const requests = [...new Set(group.map(({ request }) => request))]
  const count = `${requests.length} of ${total} data fetches: ${joinNames(requests, 2)}`
  const at = frame === undefined ? '' : `; at ${frame}`
  return {
    ...found,
    message: escapeForDisplay(`${kind}: ${found.message}${at} [${count}]`, 800),
    fails: !stale,
  }
}

function findOccurrences(evidence: Evidence): readonly Occurrence[] {
  return evidence
    .with('regular')
    .flatMap(({ name, failures }) => failures.map((each) => ({ request: name, failure: each })))
}

/** Returns every failure that the endpoint reported on a regular data fetch. */
export function collectFailures(evidence: Evidence): readonly ReportFailure[] {
  return findOccurrences(evidence).map(({ request, failure: { error, ...rest } }) => {
    const { kind, component, section, stale, traceId } = rest
    const frame = findOwnFrame(error?.stack)
    return {
      request,
      kind,
      ...(component !== undefined && { component }),
      ...(section !== undefined && { section: escapeForDisplay(section, 120) }),
      stale,
      ...(traceId !== undefined && { traceId: escapeForDisplay(traceId, 64) }),
      ...(error !== undefined && {
        error: {
          name: escapeForDisplay(error.name, 80),
          message: escapeForDisplay(error.message, 500),
          ...(frame !== undefined && { frame: escapeForDisplay(frame, 300) }),
        },
      }),
    }
  })
}

/** The rules about failures that an endpoint reports itself. */
export const failureRules: readonly CheckRule[] = [failure]

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
