/**
 * Returns whether a host, as in `URL.hostname`, is this machine. Subdomains of
 * `localhost` do not count. Browsers resolve them to this machine, as RFC 6761
 * requires, but Node uses the resolver, which may return another machine.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
