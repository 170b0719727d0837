import { isLoopback } from '../internal/is-loopback.ts'
import { ClientError } from './errors.ts'

/**
 * Parses the base URL, which may have a path. It must use `https`, or `http` to
 * this machine only, because every request contains the access token.
 *
 * @returns the URL without a trailing slash
 * @throws {ClientError} `invalid_options`
 */
export function parseBaseUrl(baseUrl: string | URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined) throwInvalidBaseUrl('must be a URL such as https://api.example.com/v1')
  const { protocol, hostname } = url
  if (url.username !== '' || url.password !== '')
    throwInvalidBaseUrl('must not contain credentials')
  if (url.search !== '' || url.hash !== '')
    throwInvalidBaseUrl('must not have a query or a fragment')
  if (protocol !== 'https:' && protocol !== 'http:') throwInvalidBaseUrl('must start with https://')
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throwInvalidBaseUrl('must start with https://, because http would expose the access token')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function throwInvalidBaseUrl(problem: string): never {
  throw new ClientError('invalid_options', `createClient: baseUrl ${problem}.`)
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
      'request: the path must start with one slash and must not contain a query, fragment, backslash, whitespace or "..". Pass a query with the option `query`.',
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
