/** A request that reached the emulated API. The access token is not in it. */
export interface ApiRequest {
  /** The `request_id` of the answer. */
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  /** With its question mark; empty when there was none. */
  readonly query: string
  /** The id of the operation; null when the path or the method is none of the API's. */
  readonly operation: string | null
  /** Null when a fault closed the connection. */
  readonly status: number | null
  /** What it did beside the contract, such as `unknown_parameter=titel`. */
  readonly deviations: readonly string[]
}

/** The last requests, oldest first. */
export interface RequestLog {
  readonly entries: readonly ApiRequest[]
  add(request: ApiRequest): void
  clear(): void
}

const KEPT = 1_000

/** Makes an empty log. */
export function createRequestLog(): RequestLog {
  let entries: ApiRequest[] = []
  return {
    get entries() {
      return entries
    },
    add(request) {
      if (entries.length >= KEPT * 2) entries = entries.slice(-KEPT)
      entries.push(request)
    },
    clear() {
      entries = []
    },
  }
}
