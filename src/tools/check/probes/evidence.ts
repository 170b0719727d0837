import type { Settings } from '../options.ts'
import type { DataProbe, Probe, Role } from '../probe.ts'
import { hasTrait, selectRoles, selectTrait, sortByRole, type Trait } from '../responses/roles.ts'

/** The facts about a check that are not responses. */
export interface CheckFacts {
  readonly settings: Settings
  readonly url: URL
  /** False for an in-process target. */
  readonly overNetwork: boolean
  /** The names of the custom headers that authenticate. */
  readonly credentials: readonly string[]
  /** The total time that the check waited for the rate limit, in milliseconds. */
  readonly waitedMs: number
  /** The number of requests, including those that were sent again. */
  readonly requests: number
}

/** Returns whether the endpoint responded to none of these requests. */
export function isUnreachable(probes: readonly Probe[]): boolean {
  return (
    probes.length > 0 && probes.every(({ exchange }) => exchange.failure?.kind === 'unreachable')
  )
}

/**
 * Returns whether the endpoint sends a complete response, in any way. No other property of its
 * responses decides which requests are sent, because one defect must not hide others.
 */
export function responds({ exchange: { response, failure } }: Probe): boolean {
  return response !== undefined && failure === undefined
}

/** Everything that a check recorded about an endpoint. It is the only input of the rules. */
export type Evidence = ReturnType<typeof createEvidence>

/**
 * Creates the evidence of a check. A rate-limited response is only evidence for
 * the rule about rate limits, a response of a firewall for none, and one with a
 * failure that the endpoint reports only for the rules that search every response.
 */
export function createEvidence(facts: CheckFacts, sent: readonly Probe[]) {
  const probes = sortByRole(sent)
  const isBlocked = wasBlocked(sent)
  const all = probes.filter(
    (probe) => !probe.rateLimited && !(isBlocked && isRefused(probe) && sendsSecret(probe)),
  )
  const complete = all.filter((probe) => !hasFailed(probe))
  return {
    ...facts,
    /** Whether a firewall rejected the right secret after the wrong ones. */
    isBlocked,
    all,
    rateLimited: probes.filter(({ rateLimited }) => rateLimited),
    /** The data fetches that the service could have sent, including those that failed. */
    regular: selectTrait(all, 'regular'),
    of: <R extends Role>(...roles: readonly R[]) => selectRoles(complete, roles),
    /** A payload with a failure card is a payload, too, but not the data of a customer. */
    with: <T extends Trait>(trait: T) => selectTrait(trait === 'payload' ? all : complete, trait),
  }
}

/** Returns whether the endpoint reports that it could not load the data, even when asked again. */
export function hasFailed(probe: Probe): boolean {
  if (!hasTrait(probe, 'regular') || !('failures' in probe)) return false
  return (probe as DataProbe).failures.some(({ stale }) => !stale)
}

function isRefused({ exchange }: Probe): boolean {
  return exchange.response?.status === 403 || exchange.response?.status === 429
}

function sendsSecret({ role }: Probe): boolean {
  return role !== 'authData' && role !== 'authHandshake'
}

/** Returns whether the first requests were accepted, and the ones after the wrong secrets were not. */
function wasBlocked(sent: readonly Probe[]): boolean {
  const [after] = selectRoles(sent, ['afterAuth'])
  const firstWrong = sent.findIndex((probe) => !sendsSecret(probe))
  const before = sent.slice(0, firstWrong)
  return after !== undefined && isRefused(after) && !before.some(isRefused)
}
