import { Agent, get } from 'node:http'
import { percentile } from '../soak/soak.ts'

/** A request whose response did not show the customer's data. */
export interface LostRequest {
  readonly startedAtMs: number
  readonly reason: string
}

export interface LoadResult {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  readonly lost: readonly LostRequest[]
}

export interface LoadOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  /** Returns the path of a request by its number. */
  readonly path: (request: number) => string
  /** Returns the reason why a response is not complete, or `undefined` if it is. */
  readonly check: (
    status: number,
    headers: NodeJS.Dict<string | string[]>,
    body: string,
  ) => string | undefined
}

/** Sends requests on several connections until it is stopped. */
export function startLoad({ url, headers, connections, path, check }: LoadOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startedAt = performance.now()
  const times: number[] = []
  const lost: LostRequest[] = []
  const stopping = new AbortController()
  let count = 0
  const clients = Array.from({ length: connections }, async () => {
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- one request after another on each connection
      const reason = await send(new URL(path(count++), url)).catch(
        ({ code, message }: NodeJS.ErrnoException) => code ?? message,
      )
      times.push(performance.now() - startedAtMs)
      if (reason !== undefined) lost.push({ startedAtMs, reason })
    }
  })

  return {
    get requests() {
      return times.length
    },
    async stop(): Promise<LoadResult> {
      stopping.abort()
      await Promise.all(clients)
      agent.destroy()
      const seconds = (performance.now() - startedAt) / 1_000
      return {
        requests: times.length,
        requestsPerSecond: Math.round(times.length / seconds),
        p50Ms: Math.round(percentile(times, 0.5)),
        p95Ms: Math.round(percentile(times, 0.95)),
        maxMs: Math.round(percentile(times, 1)),
        lost,
      }
    },
  }

  function send(target: URL): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const request = get(target, { agent, headers }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve(check(response.statusCode ?? 0, response.headers, body))
        })
      })
      request.on('error', reject)
    })
  }
}
