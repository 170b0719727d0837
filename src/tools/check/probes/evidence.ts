import type { Settings } from '../options.ts'
import type { Probe, Role } from '../probe.ts'
import { selectRoles, selectTrait, sortByRole } from '../responses/roles.ts'
import type { Trait } from '../responses/roles.ts'

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
  const isRefused = ({ exchange }: Probe) => exchange.failure?.kind === 'unreachable'
  return probes.length > 0 && probes.every(isRefused)
}

/** Everything that a check recorded about an endpoint. It is the only input of the rules. */
export type Evidence = ReturnType<typeof createEvidence>

/**
 * Creates the evidence of a check. A rate-limited response is only evidence for
 * the rule about rate limits.
 */
export function createEvidence(facts: CheckFacts, sent: readonly Probe[]) {
  const probes = sortByRole(sent)
  const all = probes.filter(({ rateLimited }) => !rateLimited)
  return {
    ...facts,
    all,
    rateLimited: probes.filter(({ rateLimited }) => rateLimited),
    of: <R extends Role>(...roles: readonly R[]) => selectRoles(all, roles),
    with: <T extends Trait>(trait: T) => selectTrait(all, trait),
  }
}
