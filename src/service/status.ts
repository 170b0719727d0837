import { quote } from '../internal/escape-for-display.ts'
import type { Exchange, ExchangeResponse } from './exchange.ts'
import { mediaType } from './media-type.ts'
import { isPublicHeader } from './credentials.ts'

/** A problem of a status. `fix` is present if it is more specific than the rule's. */
export interface StatusProblem {
  readonly reason: 'redirect' | 'status'
  readonly message: string
  readonly fix?: string
}

/** Returns the problem of a status other than 200. */
export function findStatusProblem({ request, response }: Exchange): StatusProblem | undefined {
  const { status = 0, headers } = response ?? {}
  if (status === 200) return undefined
  // 304 is not listed, because it does not redirect.
  if ([301, 302, 303, 307, 308].includes(status)) {
    return {
      reason: 'redirect',
      message: `returned ${status} (redirect); the service only calls the configured URL`,
      ...fixRedirect(headers?.['location'], request.url),
    }
  }
  if (status === 401 || status === 403) {
    return {
      reason: 'status',
      message: `returned ${status}: a required header is missing or wrong`,
      fix: fixRejection(request.headerNames),
    }
  }
  const message = `returned ${status}, expected 200${readDetail(response)}`
  return status >= 500
    ? { reason: 'status', message, fix: 'Look for an error in the endpoint’s log.' }
    : { reason: 'status', message }
}

/** Returns the endpoint's own explanation, in the format of RFC 9457, as the end of a message. */
function readDetail(response: ExchangeResponse | undefined): string {
  if (mediaType(response?.headers['content-type']) !== 'application/problem+json') return ''
  try {
    const { detail }: { detail?: unknown } = Object(JSON.parse(response?.text ?? ''))
    return typeof detail === 'string' && detail !== '' ? `: ${quote(detail, 200)}` : ''
  } catch {
    return ''
  }
}

function fixRedirect(location: string | undefined, url: string): Pick<StatusProblem, 'fix'> {
  const target = location === undefined ? null : URL.parse(location, url)
  if (target === null || !/^https?:$/.test(target.protocol)) return {}
  const { origin, pathname } = target
  const final = origin === new URL(url).origin ? pathname : `${origin}${pathname}`
  return {
    fix: `Configure the final URL, probably ${quote(final, 200)}. If that is a login page, exempt the endpoint from the login, and protect it with a secret header.`,
  }
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
