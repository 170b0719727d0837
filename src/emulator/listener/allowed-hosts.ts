import { networkInterfaces } from 'node:os'

/**
 * The values of `Host` under which a listener is meant: names that only ever
 * mean this machine, and its own addresses when it listens on all of them. A
 * name that somebody else can make point here is none of them.
 */
export function allowedHosts(hostname: string, port: number): ReadonlySet<string> {
  const isEverywhere = hostname === '0.0.0.0' || hostname === '::'
  const addresses = isEverywhere
    ? Object.values(networkInterfaces()).flatMap(
        (each) => each?.map(({ address }) => address) ?? [],
      )
    : [hostname]
  const names = ['localhost', '127.0.0.1', '[::1]', ...addresses.map(bracketed)]
  return new Set(
    names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  )
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address.toLowerCase()
}
