import { quote } from '../../internal/escape-for-display.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import type { Exchange, ExchangeResponse } from '../endpoint/exchange.ts'
import { invalid, type InvalidResponse } from './invalid-response.ts'
import { mediaType } from '../endpoint/media-type.ts'
import { isPublicHeader } from '../endpoint/credentials.ts'

/** Returns the problem of a status other than 200. */
export function findStatusProblem({
  request,
  response,
}: Exchange): InvalidResponse<'redirect' | 'status'> | undefined {
  const { status = 0, headers } = response ?? {}
  if (status === 200) return undefined
  // 304 is not listed, because it does not redirect.
  if ([301, 302, 303, 307, 308].includes(status)) {
    const message = `returned ${status} (redirect); the service only calls the configured URL`
    return invalid('redirect', message, fixRedirect(headers?.['location'], request.url))
  }
  if (status === 401 || status === 403) {
    const message = `returned ${status}: a required header is missing or wrong`
    return invalid('status', message, fixRejection(request.headerNames))
  }
  const message = `returned ${status}, expected 200${readDetail(response)}`
  const fix = status >= 500 ? 'Look for an error in the endpoint’s log.' : undefined
  return invalid('status', message, fix)
}

/** Returns the endpoint's own explanation, in the format of RFC 9457, as the end of a message. */
function readDetail(response: ExchangeResponse | undefined): string {
  if (mediaType(response?.headers['content-type']) !== 'application/problem+json') return ''
  const { detail }: { detail?: unknown } = Object(tryJson(response?.text ?? ''))
  return typeof detail === 'string' && detail !== '' ? `: ${quote(detail, 200)}` : ''
}

function fixRedirect(location: string | undefined, url: string): string | undefined {
  const target = location === undefined ? null : URL.parse(location, url)
  if (target === null || !/^https?:$/.test(target.protocol)) return undefined
  const { origin, pathname } = target
  const final = origin === new URL(url).origin ? pathname : `${origin}${pathname}`
  return `Configure the final URL, probably ${quote(final, 200)}. If that is a login page, exempt the endpoint from the login, and protect it with a secret header.`
}

function fixRejection(headerNames: readonly string[]): string {
  const names = headerNames.filter((name) => !isPublicHeader(name)).map((name) => `"${name}"`)
  return names.length === 0
    ? 'Send the custom header that the endpoint requires, such as x-sidecard-secret.'
    : `The endpoint rejected the value of ${names.join(', ')}. Compare it with the complete secret in the endpoint’s configuration.`
}

/** Describes a `Content-Type`, for a message. */
export function describeContentType(contentType: string | undefined): string {
  return contentType === undefined ? 'missing' : quote(contentType)
}
