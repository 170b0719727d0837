import type { LiveExchange } from './live.ts'

/** A live request that is neither a handshake nor a data fetch. Only the HAR export contains it. */
export interface OtherRequest {
  readonly at: string
  readonly durationMs: number
  readonly method: string
  readonly url: string
  readonly receivedHeaderNames: readonly string[]
  /** Null if the endpoint did not respond. */
  readonly status: number | null
  readonly abortedAfterMs?: number
}

/** The most recent of these requests. */
export interface OtherRequests {
  add(live: LiveExchange): void
  /** Oldest first. */
  list(): readonly OtherRequest[]
  clear(): void
}

const MAX_REQUESTS = 1_000

/** Creates an empty log of at most 1,000 requests. */
export function createOtherRequests(): OtherRequests {
  let requests: OtherRequest[] = []
  return {
    add({ method = 'GET', url, receivedHeaderNames = [], response, ...live }) {
      const { startedAt, durationMs, abortedAfterMs } = live
      const request = {
        at: new Date(startedAt).toISOString(),
        durationMs: Math.round(durationMs),
        method,
        url,
        receivedHeaderNames,
        status: response?.status ?? null,
        ...(abortedAfterMs !== undefined && { abortedAfterMs: Math.round(abortedAfterMs) }),
      }
      requests = [...requests.slice(1 - MAX_REQUESTS), request]
    },
    list: () => requests,
    clear() {
      requests = []
    },
  }
}
