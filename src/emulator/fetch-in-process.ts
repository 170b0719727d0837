import { ConnectionReset, toTruncatedFetchResponse, TruncatedResponse } from './faults/corrupt.ts'
import type { Handler } from './handler.ts'

/** Converts a handler to a `fetch` function with the same errors as the platform's. */
export function fetchInProcess(handler: Handler): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    try {
      return await handler(request)
    } catch (error) {
      if (error instanceof TruncatedResponse) return toTruncatedFetchResponse(error)
      if (!(error instanceof ConnectionReset)) throw error
      // The platform's `fetch` throws this error if a connection breaks.
      throw new TypeError('fetch failed', { cause: error })
    }
  }
}
