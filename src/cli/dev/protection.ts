import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'

const TIMEOUT_MS = 5_000

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
  const verify = { request_type: 'verify', code: 'sidecard-protection-check' }
  const ids = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, 'unknown']))
  const queries = [verify, { request_type: 'fetch_data', ...ids }]
  const results = await Promise.all(
    queries.flatMap((query) =>
      [{}, wrong].map((headers) => isRejected(withQuery(endpoint, query), headers, fetch)),
    ),
  )
  return results.every(Boolean)
}

async function isRejected(
  url: URL,
  headers: Readonly<Record<string, string>>,
  fetch: (request: Request) => Promise<Response>,
): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(new Request(url, { headers, redirect: 'manual', signal }))
    await response.body?.cancel()
    return !response.ok
  } catch {
    return true
  }
}

function withQuery(endpoint: URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}
