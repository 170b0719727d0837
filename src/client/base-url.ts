import { isLoopback } from '../internal/is-loopback.ts'
import { invalidOption, kind, required } from '../internal/read-options.ts'
import { ClientError } from './errors.ts'

/** The kind of the option `baseUrl`. */
export const baseUrl = required(
  kind<string | URL>(
    'a URL such as https://api.example.com/v1',
    (value) => (typeof value === 'string' || value instanceof URL) && URL.canParse(value),
  ),
)

/**
 * Parses the base URL, which may have a path. It must use `https`, or `http` to
 * this machine only, because every request contains the access token.
 *
 * @returns the URL without a trailing slash
 * @throws {SidecardError} `invalid_options`
 */
export function parseBaseUrl(given: string | URL): string {
  const url = new URL(given)
  const { protocol, hostname, username, password, search, hash } = url
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  const expected =
    username !== '' || password !== ''
      ? 'a URL without credentials'
      : search !== '' || hash !== ''
        ? 'a URL without a query or a fragment'
        : isSafe
          ? undefined
          : 'a URL that starts with https://, which keeps the access token private'
  if (expected !== undefined) throw invalidOption('createClient', 'baseUrl', expected)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Matches a path that would leave the base URL, or that servers interpret in different ways. */
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
