import type { Probe } from '../probe.ts'

/** The concurrent requests, and their maximum number. */
export interface LoadContext {
  readonly others: readonly Probe[]
  readonly concurrency: number
  readonly timeoutMs: number
}

/**
 * Sends a request again, alone, if it may have timed out only because many were
 * sent at once: a server that handles one request at a time is slow, but conforms.
 * Returns the probe unchanged if the load does not explain the timeout.
 */
export async function retryIfOverloaded<Kind extends Probe>(
  probe: Kind,
  load: LoadContext,
  again: () => Promise<Kind>,
): Promise<Kind> {
  if (probe.exchange.failure?.kind !== 'timeout') return probe
  const completed = load.others.filter(({ exchange }) => exchange.failure === undefined)
  const fastest = Math.min(...completed.map(({ exchange }) => exchange.durationMs))
  // If no request completed, `fastest` is Infinity, which does not mean that the endpoint is
  // overloaded.
  if (completed.length === 0 || fastest * load.concurrency < load.timeoutMs) return probe
  return again()
}
