import { type OperationId, OPERATIONS } from '../../contract/operations.ts'
import { isJsonObject } from '../../service/json-object.ts'
import { type HarEntry, readJson, readText } from './har-entries.ts'
import type { ApiCall } from './traffic.ts'

const PATTERNS = (Object.keys(OPERATIONS) as OperationId[]).map((operation) => {
  const { method, path } = OPERATIONS[operation]
  const pattern = new RegExp(`^(.*)${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
  return { operation, method, pattern }
})

/**
 * Returns the calls of the service's API. Other services have paths such as
 * `/users` as well, so a base URL counts if a request to it has a bearer token, or
 * a response the envelope of the API.
 */
export function findApiCalls(entries: readonly HarEntry[]): ReadonlyMap<HarEntry, ApiCall> {
  const found = entries.flatMap((entry) => {
    const { method, url } = entry.request
    for (const { operation, method: expected, pattern } of PATTERNS) {
      const prefix = method === expected ? pattern.exec(url.pathname)?.[1] : undefined
      if (prefix !== undefined)
        return [{ entry, operation, base: url.origin + prefix, call: toCall(entry, operation) }]
    }
    return []
  })
  const bases = new Set(
    found.filter(({ entry, call }) => isOfApi(entry, call)).map(({ base }) => base),
  )
  return new Map(
    found.filter(({ base }) => bases.has(base)).map(({ entry, call }) => [entry, call]),
  )
}

function toCall(entry: HarEntry, operation: OperationId): ApiCall {
  const { request, response, startedDateTime: startedAt, time: durationMs } = entry
  const headers = new Headers()
  for (const { name, value } of response.headers) {
    // HTTP/2 has names such as `:status`, and a value of another tool may be invalid.
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~\u0080-\u00FF]*$/.test(value))
      headers.append(name, value)
  }
  return {
    operation,
    parameters: [...request.url.searchParams],
    startedAt,
    durationMs,
    status: response.status,
    headers,
    text: readText(entry),
    body: readJson(entry),
  }
}

function isOfApi({ request }: HarEntry, { body, headers }: ApiCall): boolean {
  if (headers.has('x-sidecard-deviation')) return false
  const isBearer = request.headers.some(
    ({ name, value }) => /^authorization$/i.test(name) && /^bearer /i.test(value),
  )
  return (
    isBearer || (isJsonObject(body) && typeof body['request_id'] === 'string' && 'data' in body)
  )
}
