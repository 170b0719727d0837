import { INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'

/** How long an app may print something after its response. */
const GRACE_MS = 1_000

/** An answer of an app: the ID of its code, and when it was asked in milliseconds of `performance.now()`. */
export interface Answer {
  readonly id: string | undefined
  readonly askedAt: number
}

/** Wraps a function that sends requests. */
export function trackTraffic(send: (request: Request) => Promise<Response>) {
  const listeners = new Set<(answer: Answer) => void>()
  let pending = 0
  let fetching = 0
  let endedAt = -Infinity

  return {
    /** Receives each answer. */
    onAnswer: (listener: (answer: Answer) => void) => void listeners.add(listener),
    /** Returns whether output of the app may be about a request of the emulator. */
    causesOutput: () => pending > 0 || performance.now() - endedAt < GRACE_MS,
    /** Returns whether a data fetch is pending. */
    isFetching: () => fetching > 0,
    /** Sends a request. */
    fetch: async (request: Request): Promise<Response> => {
      const askedAt = performance.now()
      const isFetch = new URL(request.url).searchParams.get('request_type') === 'fetch_data'
      pending += 1
      if (isFetch) fetching += 1
      try {
        const response = await send(request)
        const id = response.headers.get(INSTANCE_HEADER) ?? undefined
        for (const listener of listeners) listener({ id, askedAt })
        return response
      } finally {
        pending -= 1
        if (isFetch) fetching -= 1
        endedAt = performance.now()
      }
    },
  }
}
