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
  const hosts = [host, request.headers.get('host') ?? host]
  if (!hosts.every((name) => allowedHosts.has(name.toLowerCase()))) {
    const message = 'The Host header does not match this emulator. Open the URL that it printed.'
    return reject(421, 'wrong_host', message)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, allowedHosts)) {
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

function isOwnOrigin(origin: string, allowedHosts: ReadonlySet<string>): boolean {
  const url = URL.parse(origin)
  return url !== null && url.protocol === 'http:' && allowedHosts.has(url.host.toLowerCase())
}

function reject(status: number, code: string, message: string): Response {
  const headers = { 'x-content-type-options': 'nosniff' }
  return Response.json({ errors: [{ code, message }] }, { status, headers })
}
