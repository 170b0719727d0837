import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import type { FetchDataParameter } from '../../../runtime/contract/parameters.ts'

/** The IDs of a data fetch. An absent ID is not sent (A4). */
export type FetchDataIds = { readonly [Name in FetchDataParameter]?: string | undefined }

/** Texts that programs print for an absent ID (A4), which do not identify a customer. */
export const ABSENT_TEXTS: ReadonlySet<string> = new Set([
  'null',
  'undefined',
  'None',
  'nil',
  'NaN',
])

/** Query parameters in the order they are sent, or an encoded query. */
export type Query = ReadonlyArray<readonly [name: string, value: string]> | string

/** Creates the query of a handshake. @see docs/contract.md#requests */
export function verifyQuery(code: string): Exclude<Query, string> {
  return [
    ['request_type', 'verify'],
    ['code', code],
  ]
}

/** Creates the query of a data fetch: only the contract's parameters, in its order. */
export function fetchDataQuery(ids: FetchDataIds): Exclude<Query, string> {
  const parameters = FETCH_DATA_PARAMETERS.flatMap((name) => {
    const value = ids[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return [['request_type', 'fetch_data'], ...parameters]
}

/**
 * Adds a query to the endpoint's URL. The URL's own parameters stay first, and a
 * parameter of the query replaces one with the same name.
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
  const ownQuery = next.search.replace(/^\?/, '')
  // Everything is percent-encoded, and a space becomes %20, so that every decoder reads the same
  // value.
  const added = query.map(([name, value]) => `${encode(name)}=${encode(value)}`)
  next.search = [ownQuery, ...added].filter((part) => part !== '').join('&')
  return next
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}
