/** A request to the emulated API, without its access token. */
export interface ApiRequest {
  /** The `request_id` of the response. */
  readonly id: string
  readonly at: string
  readonly method: string
  readonly path: string
  /** The query with its question mark; empty if there was none. */
  readonly query: string
  /** The operation ID, or null if the path or the method is unknown. */
  readonly operation: string | null
  /** Null if a fault closed the connection. */
  readonly status: number | null
  /** Its deviations from the contract, such as `unknown_parameter=titel`. */
  readonly deviations: readonly string[]
}

/** The request log that the API writes to. */
export type RequestLog = ReturnType<typeof createRequestLog>

/** The requests to the API. */
export interface EmulatorRequests extends Omit<RequestLog, 'add'> {}

const MAX_REQUESTS = 1_000

/** Creates an empty log. */
export function createRequestLog() {
  let entries: readonly ApiRequest[] = []
  return {
    /** The newest 1,000 requests, oldest first. */
    list: () => entries,
    add(request: ApiRequest): void {
      entries = [...entries, request].slice(-MAX_REQUESTS)
    },
    clear(): void {
      entries = []
    },
  }
}
