import { isLoopback } from '../../runtime/internal/is-loopback.ts'

/**
 * Rejects requests from pages of other sites, by `Host` and `Origin`. Such a page
 * can make a browser send requests to the emulator, across origins or with a host
 * name that resolves to this machine.
 *
 * @returns the rejection, or `undefined`
 */
export function rejectForeignRequest(
  request: Request,
  allowedHosts: ReadonlySet<string>,
): Response | undefined {
  // A full URL in the request line, as sent to a proxy, takes precedence over the Host header.
  const { host } = new URL(request.url)
  const hosts = [host, request.headers.get('host') ?? host].map((name) => name.toLowerCase())
  // A name without a port is valid with each port, because a forwarded port may be a different one.
  const isAllowed = (name: string) =>
    allowedHosts.has(name) || allowedHosts.has(name.replace(/:\d+$/, ''))
  if (!hosts.every(isAllowed)) {
    const message = 'The Host header does not match this emulator. Open the URL that it printed.'
    return reject(421, 'wrong_host', message)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOwnOrigin(URL.parse(origin), hosts, allowedHosts)) {
    return reject(403, 'wrong_origin', 'Cross-origin requests are not allowed.')
  }
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site'
  const isNavigation =
    request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  if (isCrossSite && !isNavigation) {
    return reject(403, 'cross_site', 'Cross-site requests are not allowed.')
  }
  return undefined
}

/** Returns whether an origin is the one of this request. Only a proxy of an allowed name has TLS. */
function isOwnOrigin(
  origin: URL | null,
  hosts: readonly string[],
  allowedHosts: ReadonlySet<string>,
): boolean {
  if (origin === null || !hosts.includes(origin.host)) return false
  const { protocol, hostname } = origin
  if (protocol === 'http:') return true
  return protocol === 'https:' && allowedHosts.has(hostname) && !isLoopback(hostname)
}

/** Returns a rejection of the emulator's own, in the form of the API's errors. */
export function reject(status: number, code: string, message: string): Response {
  const headers = { 'x-content-type-options': 'nosniff' }
  return Response.json({ errors: [{ code, message }] }, { status, headers })
}
