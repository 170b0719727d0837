import type { EndpointFailure } from './endpoint-failures.ts'

/** The parts of a data fetch that tell whether it failed only as intended. */
interface Failed {
  readonly outcome: string
  readonly failures: ReadonlyArray<Pick<EndpointFailure, 'intended'>>
}

/**
 * Returns whether a data fetch only has failures that its request asked for. An app
 * with the option `errors: 'status'` responds to them with a status, which is as
 * intended as well.
 */
export function isAsIntended({ outcome, failures }: Failed): boolean {
  const isCausedByFailures = outcome === 'failed' || outcome === 'status'
  return isCausedByFailures && failures.length > 0 && failures.every(({ intended }) => intended)
}
