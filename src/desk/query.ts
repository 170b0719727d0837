import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { FetchDataParameter } from '../contract/parameters.ts'

/** The ids of a `fetch_data` request as the caller has them; what is absent is not sent (A4). */
export type FetchDataIds = { readonly [Name in FetchDataParameter]?: string | undefined }

/** Query parameters in the order in which they are sent, or a query that is encoded already. */
export type Query = ReadonlyArray<readonly [name: string, value: string]> | string

/** The query of a handshake. @see docs/contract.md#requests */
export function verifyQuery(code: string): Query {
  return [
    ['request_type', 'verify'],
    ['code', code],
  ]
}

/** The query of a data fetch: the contract's parameters, in its order, and no others. */
export function fetchDataQuery(ids: FetchDataIds): Query {
  const given = FETCH_DATA_PARAMETERS.flatMap((name) => {
    const value = ids[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return [['request_type', 'fetch_data'], ...given]
}

/**
 * The endpoint's address with a query added. A query that the address already
 * has stays in front, except for parameters of the same name.
 */
export function withQuery(url: URL, query: Query): URL {
  const next = new URL(url)
  if (typeof query === 'string') {
    next.search = [next.search.replace(/^\?/, ''), query].filter((part) => part !== '').join('&')
    return next
  }
  for (const [name] of query) {
    if (next.searchParams.has(name)) next.searchParams.delete(name)
  }
  const kept = next.search.replace(/^\?/, '')
  // Percent-encoded in full, a space as %20: every decoder reads it the same way.
  const added = query.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  next.search = [kept, ...added].filter((part) => part !== '').join('&')
  return next
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}
