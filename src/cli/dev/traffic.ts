import { INSTANCE_HEADER } from '../../internal/headers.ts'

/** Sends a request and returns its response. */
type Send = (request: Request) => Promise<Response>

/** Whether the app may write files because of a data fetch: during it, or shortly after it. */
export type Activity = 'idle' | 'after' | 'during'

/** The emulator's requests to the endpoints. */
export interface Traffic {
  /** Sends a request. */
  readonly fetch: Send
  /** Remembers the ID of code that responded. */
  see(instance: string | undefined): void
  /** Returns whether code responded for the first time after a time of `performance.now()`. */
  isNew(instance: string, since: number): boolean
  /** Returns what the app may do because of the emulator's data fetches. */
  activity(): Activity
  /** Returns whether output of the app may be about a request of the emulator. */
  causesOutput(): boolean
  /** When the newest data fetch started, in milliseconds of `performance.now()`. */
  readonly fetchedAt: number
}

/** How long an app may write files and output after its response. */
const GRACE_MS = 1_000

/** Wraps a function that sends requests. */
export function trackTraffic(send: Send, now: () => number = () => performance.now()): Traffic {
  const firstSeen = new Map<string, number>()
  const fetches = { pending: 0, endedAt: -Infinity }
  const requests = { pending: 0, endedAt: -Infinity }
  let fetchedAt = -Infinity

  const find = ({ pending, endedAt }: typeof requests): Activity =>
    pending > 0 ? 'during' : now() - endedAt < GRACE_MS ? 'after' : 'idle'

  function see(instance: string | undefined): void {
    if (instance !== undefined && !firstSeen.has(instance)) firstSeen.set(instance, now())
  }

  return {
    see,
    isNew: (instance, since) => (firstSeen.get(instance) ?? Infinity) > since,
    activity: () => find(fetches),
    causesOutput: () => find(requests) !== 'idle',
    get fetchedAt() {
      return fetchedAt
    },
    async fetch(request) {
      const isFetch = new URL(request.url).searchParams.get('request_type') === 'fetch_data'
      const kinds = isFetch ? [fetches, requests] : [requests]
      if (isFetch) fetchedAt = now()
      for (const kind of kinds) kind.pending += 1
      try {
        const response = await send(request)
        see(response.headers.get(INSTANCE_HEADER) ?? undefined)
        return response
      } finally {
        for (const kind of kinds) {
          kind.pending -= 1
          kind.endedAt = now()
        }
      }
    },
  }
}
