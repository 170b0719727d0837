/**
 * Returns whether a host is reachable from the internet: not this machine, a
 * private network or a link-local address, in any spelling. Expects the
 * normalized form of `URL.hostname`, in which `0x7f.1`, `2130706433` and
 * `017700000001` are `127.0.0.1`, and names are lowercase ASCII. A name is
 * classified by its form only, because its address is not known before a lookup.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPublicAddress(host)
  // Names without a dot, and names that are reserved for local networks (RFC 6761, 6762, 8375).
  return (
    host.includes('.') &&
    !/(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid|example|onion|home\.arpa)$/.test(
      host,
    )
  )
}

/** Returns whether an IP address, as text, is a public unicast address. */
export function isPublicAddress(address: string): boolean {
  const v4 = parseV4(address)
  if (v4 !== undefined) return isPublicV4(v4)
  const v6 = parseV6(address.replace(/%.*$/, ''))
  return v6 !== undefined && isPublicV6(v6)
}

/** The blocks of the IANA special-purpose address registry. */
const V4_BLOCKS: ReadonlyArray<readonly [base: string, bits: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

function isPublicV4(address: number): boolean {
  return !V4_BLOCKS.some(([base, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor((parseV4(base) ?? 0) / size)
  })
}

function isPublicV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = groups
  const tail = ((groups[6] ?? 0) * 0x1_00_00 + (groups[7] ?? 0)) >>> 0
  const zeros = (count: number) => groups.slice(0, count).every((group) => group === 0)
  // If the address embeds an IPv4 address (mapped, compatible, translated (RFC 6052) or 6to4),
  // that address decides.
  if (zeros(5) && (sixth === 0xff_ff || sixth === 0)) return isPublicV4(tail) && sixth === 0xff_ff
  if (zeros(4) && fifth === 0xff_ff && sixth === 0) return isPublicV4(tail)
  if (first === 0x64 && second === 0xff_9b) {
    return third === 0 && fourth === 0 && fifth === 0 && sixth === 0 && isPublicV4(tail)
  }
  if (first === 0x20_02) return isPublicV4((second * 0x1_00_00 + third) >>> 0)
  // The public addresses are in 2000::/3, except for Teredo, ORCHID and documentation.
  if (first === 0x20_01 && (second < 0x2_00 || second === 0xd_b8)) return false
  if (first === 0x3f_ff && second < 0x10_00) return false
  return first >= 0x20_00 && first <= 0x3f_ff
}

function parseV4(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) {
    return undefined
  }
  return parts.reduce((value, part) => value * 256 + Number(part), 0)
}

function parseV6(text: string): readonly number[] | undefined {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const v4 = dotted === null ? undefined : parseV4(dotted[2] ?? '')
  if (dotted !== null && v4 === undefined) return undefined
  const plain =
    v4 === undefined
      ? text
      : `${dotted?.[1]}${(v4 >>> 16).toString(16)}:${(v4 & 0xff_ff).toString(16)}`
  const halves = plain.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const known = (head?.length ?? 0) + (tail?.length ?? 0)
  if (halves.length === 1 ? known !== 8 : known > 7) return undefined
  const groups = [...(head ?? []), ...Array<string>(8 - known).fill('0'), ...(tail ?? [])]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map((group) => Number.parseInt(group, 16))
}
