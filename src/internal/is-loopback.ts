/**
 * Returns whether a host, as in `URL.hostname`, is this machine. Sub-domains of
 * `localhost` are not: browsers keep them on this machine, as RFC 6761 says, but
 * Node asks the resolver, which may ask another machine.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
