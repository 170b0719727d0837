import { ClientError } from './errors.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Reads the base address: `https`, or plain `http` to this machine only, since
 * every request carries the access token. It may have a path.
 *
 * @returns the address without a slash at its end
 * @throws {ClientError} `invalid_options`
 */
export function readBaseUrl(baseUrl: string | URL): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined) refuse('must be an address such as https://api.example.com/v1')
  const { protocol, hostname } = url
  if (url.username !== '' || url.password !== '') refuse('must not hold a user name or a password')
  if (url.search !== '' || url.hash !== '') refuse('must have no query and no fragment')
  if (protocol !== 'https:' && protocol !== 'http:') refuse('must start with https://')
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) {
    refuse('must start with https://: over http the access token could be read on the way')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function refuse(wanted: string): never {
  throw new ClientError('invalid_options', `createClient: baseUrl ${wanted}.`)
}

/** What would let a path leave the base address, or be read otherwise by the other side. */
const UNSAFE = /^(?!\/)|^\/\/|[\\?#\s\p{Cc}\p{Surrogate}]|(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/iu

/**
 * Checks the path of a `request()`: it starts with one slash and stays below
 * the base address.
 *
 * @throws {ClientError} `invalid_parameter`
 */
export function checkPath(path: string): string {
  if (typeof path !== 'string' || UNSAFE.test(path)) {
    throw new ClientError(
      'invalid_parameter',
      'request: the path must start with one slash, and have no query, fragment, backslash, white space or "..". Give a query as the option `query`.',
    )
  }
  return path
}

/**
 * Writes an id as one segment of a path.
 *
 * @throws {ClientError} `invalid_parameter` for an empty id, `.` and `..`, which would name another path
 */
export function pathSegment(name: string, id: unknown): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..' || !id.isWellFormed()) {
    throw new ClientError('invalid_parameter', `${name} must be the id of something, as a string.`)
  }
  return encodeURIComponent(id)
}
