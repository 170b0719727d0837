/**
 * Tells whether a request was meant for this emulator. A page of another site
 * can make a browser send requests here, under a name of its own that resolves
 * to this machine, or across origins: its `Host` or `Origin` gives it away.
 *
 * @returns what is wrong, or `undefined`
 */
export function refusalOfRequest(
  request: Request,
  allowedHosts: ReadonlySet<string>,
): Response | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host
  if (!allowedHosts.has(host.toLowerCase())) {
    return refuse(
      421,
      'wrong_host',
      'The Host header names another machine: open the emulator at the address that it printed.',
    )
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, allowedHosts)) {
    return refuse(403, 'wrong_origin', 'Pages of other origins may not call the emulator.')
  }
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site'
  const isNavigation =
    request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  if (isCrossSite && !isNavigation) {
    return refuse(403, 'cross_site', 'Pages of other sites may not call the emulator.')
  }
  return undefined
}

function isOwnOrigin(origin: string, allowedHosts: ReadonlySet<string>): boolean {
  const url = URL.parse(origin)
  return url !== null && url.protocol === 'http:' && allowedHosts.has(url.host.toLowerCase())
}

function refuse(status: number, code: string, message: string): Response {
  return new Response(JSON.stringify({ errors: [{ code, message }] }), {
    status,
    headers: { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' },
  })
}
