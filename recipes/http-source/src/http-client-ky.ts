import ky from 'ky'

/**
 * Sends the requests of `src/http-source.ts`. It retries twice if the API cannot be
 * reached or is unavailable, until the signal aborts.
 */
export const send: typeof fetch = ky.create({
  retry: { limit: 2, delay: () => 100 },
  // The section has a timeout.
  timeout: false,
  throwHttpErrors: (status) => status !== 404,
})
