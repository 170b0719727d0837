import { networkInterfaces } from 'node:os'

/**
 * Returns the valid `Host` values of a listener: names that always mean this
 * machine, and the machine's addresses if it listens on all of them. DNS names
 * are not included, because others can point them to this machine.
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

/** Returns an address as it is written in a URL. */
export function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address.toLowerCase()
}
