import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { type Query, verifyQuery, withQuery } from '../../service/query.ts'

const TIMEOUT_MS = 5_000

const QUERIES: readonly Query[] = [
  verifyQuery('sidecard-protection-check'),
  [
    ['request_type', 'fetch_data'],
    ...FETCH_DATA_PARAMETERS.map((name) => [name, 'unknown'] as const),
  ],
]

/**
 * Returns whether an endpoint rejects handshakes and data fetches without its
 * custom headers, and with wrong values in them. A request without a response
 * counts as rejected, because nothing can be read.
 */
export async function rejectsWithoutSecret(
  endpoint: URL,
  headerNames: readonly string[],
  fetch: (request: Request) => Promise<Response>,
): Promise<boolean> {
  const wrong = Object.fromEntries(headerNames.map((name) => [name, 'sidecard-wrong-secret']))
  const results = await Promise.allSettled(
    QUERIES.flatMap((query) =>
      [{}, wrong].map(async (headers) => {
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        const init = { headers, redirect: 'manual', signal } as const
        const response = await fetch(new Request(withQuery(endpoint, query), init))
        await response.body?.cancel()
        return response.ok
      }),
    ),
  )
  return !results.some((result) => result.status === 'fulfilled' && result.value)
}
