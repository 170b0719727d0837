/** A request of the real service that a proxy forwarded to an app. */
export interface LiveExchange {
  readonly appId: string
  /** @default 'GET' */
  readonly method?: string | undefined
  /** The requested URL, with all of its parameters. */
  readonly url: string
  /** The names of all request headers, in lowercase and in the order received. */
  readonly receivedHeaderNames?: readonly string[] | undefined
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** The response of the app; absent if there was none. */
  readonly response?:
    | {
        readonly status: number
        readonly statusText?: string
        readonly headers: Readonly<Record<string, string>>
        /** The decompressed body. */
        readonly body: Uint8Array
      }
    | undefined
  /** The value that `fetch` threw, if there was no response. */
  readonly error?: unknown
  /** Milliseconds until the caller closed the connection. Absent if it waited for the response. */
  readonly abortedAfterMs?: number | undefined
}

/** The statuses with which a `Response` must not have a body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/** Returns the recorded response, or throws the recorded error. */
export function replayLive({ response, error }: LiveExchange): Response {
  if (response === undefined) throw error ?? new TypeError('fetch failed')
  const body = WITHOUT_BODY.has(response.status) ? null : new Uint8Array(response.body)
  return new Response(body, response)
}
