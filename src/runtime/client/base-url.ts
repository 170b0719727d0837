import { isLoopback } from '../internal/is-loopback.ts'
import type { ConvertedKind } from '../internal/read-options.ts'
import { ClientError } from './errors.ts'

/**
 * The kind of the option `baseUrl`. The URL may have a path; a trailing slash is
 * dropped. It must use `https`, or `http` to this machine, because every request
 * contains the access token.
 */
export const baseUrl: ConvertedKind<string | URL, string> & { readonly isRequired: true } = {
  isRequired: true,
  expected:
    'a URL such as https://api.example.com/v1: https (http only to this machine), without credentials, a query or a fragment',
  accepts: (value) => {
    const url = typeof value === 'string' || value instanceof URL ? URL.parse(value) : null
    if (url === null || url.username + url.password + url.search + url.hash !== '') return false
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  },
  // An empty query or fragment is allowed, as in `https://api.example.com/?`.
  convert: (given: string | URL) => new URL(given).href.replace(/[/?#]+$/, ''),
}

/** Matches a path that would leave the base URL, or that servers interpret differently. */
const UNSAFE = /^(?!\/)|^\/\/|[\\?#\s\p{Cc}\p{Surrogate}]|(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/iu

/**
 * Returns the path of a `request()` if it starts with one slash and stays below
 * the base URL.
 *
 * @throws {ClientError} `invalid_parameter`
 */
export function assertSafePath(path: string): string {
  if (typeof path !== 'string' || UNSAFE.test(path)) {
    throw new ClientError(
      'invalid_parameter',
      'client.request: the path must start with one slash and must not contain a query, fragment, backslash, whitespace or "..". Pass a query with the option `query`.',
    )
  }
  return path
}

/**
 * Encodes an ID as one segment of a path.
 *
 * @throws {ClientError} `invalid_parameter` for an empty ID, and for `.` and `..`, which would change the path
 */
export function toPathSegment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new ClientError(
      'invalid_parameter',
      `${name} must be a non-empty ID other than "." and "..".`,
    )
  }
  return encodeURIComponent(id)
}
