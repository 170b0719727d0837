/** Sends a request and returns its response. */
type Send = (request: Request) => Promise<Response>

/** The emulator's requests to the endpoint: which are pending, and whether responses change. */
export interface RequestTracker {
  /** Sends a request. */
  readonly fetch: Send
  /**
   * Returns whether a request is pending, or ended so recently that the endpoint
   * may still write files because of it.
   */
  isActive(): boolean
  /** Returns whether a request is pending. */
  isPending(): boolean
  /** Sends the newest data fetch again, if there was one. Never rejects. */
  repeat(): Promise<void>
  /** Whether there was a data fetch. */
  readonly hasFetched: boolean
  /** The number of responses that differed from the previous response of the same URL. */
  readonly changes: number
}

/** How long an endpoint may write files after its response. */
const GRACE_MS = 200

const MAX_REMEMBERED = 500

const REPEAT_TIMEOUT_MS = 5_000

/** Wraps a function that sends requests, and tracks them. */
export function trackRequests(
  send: Send,
  now: () => number = () => performance.now(),
): RequestTracker {
  const remembered = new Map<string, string>()
  let pending = 0
  let lastEnd = -Infinity
  let changes = 0
  let newest: { readonly url: string; readonly headers: Headers } | undefined

  function remember(url: string, fingerprint: string): void {
    if (remembered.get(url) !== fingerprint) changes += 1
    remembered.delete(url)
    remembered.set(url, fingerprint)
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  }

  async function track(request: Request): Promise<Response> {
    pending += 1
    const { url, headers } = request
    const isHandshake = new URL(url).searchParams.get('request_type') !== 'fetch_data'
    if (!isHandshake) newest = { url, headers: new Headers(headers) }
    const end = (fingerprint: string) => {
      pending -= 1
      lastEnd = now()
      if (!isHandshake) remember(url, fingerprint)
    }
    try {
      const response = await send(request)
      if (response.body === null) end(String(response.status))
      else void createFingerprint(response.clone()).then(end, () => end('incomplete'))
      return response
    } catch (error) {
      end('no response')
      throw error
    }
  }

  async function repeat(): Promise<void> {
    if (newest === undefined) return
    pending += 1
    try {
      const { url, headers } = newest
      const signal = AbortSignal.timeout(REPEAT_TIMEOUT_MS)
      const response = await send(new Request(url, { headers, redirect: 'manual', signal }))
      await response.arrayBuffer()
    } catch {
      // Only the files that the endpoint writes are of interest.
    } finally {
      pending -= 1
      lastEnd = now()
    }
  }

  return {
    fetch: track,
    repeat,
    isPending: () => pending > 0,
    isActive: () => pending > 0 || now() - lastEnd < GRACE_MS,
    get hasFetched() {
      return newest !== undefined
    },
    get changes() {
      return changes
    },
  }
}

/** The trace ID is removed, because two equal failures differ only in it. */
async function createFingerprint(response: Response): Promise<string> {
  const text = await response.text()
  const trace = response.headers.get('x-sidecard-trace')
  return `${response.status} ${trace ? text.replaceAll(trace, '') : text}`
}
