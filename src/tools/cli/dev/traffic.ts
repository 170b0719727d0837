import { INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'

/** Why the app may write files: its command starts, or during or shortly after a data fetch. */
export type Activity = 'idle' | 'starting' | 'after' | 'during'

/** How long an app may write files and output after its response. */
const GRACE_MS = 1_000

/** Wraps a function that sends requests. Times are in milliseconds of `performance.now()`. */
export function trackTraffic(send: (request: Request) => Promise<Response>) {
  const firstSeen = new Map<string, number>()
  const fetches = { pending: 0, startedAt: -Infinity, endedAt: -Infinity }
  const requests = { ...fetches }

  function find({ pending, endedAt }: typeof requests): Activity {
    if (pending > 0) return 'during'
    return performance.now() - endedAt < GRACE_MS ? 'after' : 'idle'
  }

  /** Records the ID of code that responded. */
  function see(instance: string | undefined): void {
    if (instance !== undefined && !firstSeen.has(instance)) {
      firstSeen.set(instance, performance.now())
    }
  }

  return {
    see,
    /** Returns whether the first response of an instance came after the given time. */
    isNew: (instance: string, since: number) => (firstSeen.get(instance) ?? Infinity) > since,
    /** Returns the activity that the emulator's data fetches may cause. */
    activity: () => find(fetches),
    /** Returns whether output of the app may be about a request of the emulator. */
    causesOutput: () => find(requests) !== 'idle',
    /** The start of the newest data fetch. */
    fetchedAt: () => fetches.startedAt,
    /** Sends a request. */
    fetch: async (request: Request): Promise<Response> => {
      const isFetch = new URL(request.url).searchParams.get('request_type') === 'fetch_data'
      const kinds = isFetch ? [fetches, requests] : [requests]
      for (const kind of kinds) {
        kind.pending += 1
        kind.startedAt = performance.now()
      }
      try {
        const response = await send(request)
        see(response.headers.get(INSTANCE_HEADER) ?? undefined)
        return response
      } finally {
        for (const kind of kinds) {
          kind.pending -= 1
          kind.endedAt = performance.now()
        }
      }
    },
  }
}
