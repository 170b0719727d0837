/**
 * The grammar of RFC 3986, appendix A. Neither `new URL()` nor the schema
 * libraries implement it: they repair, trim and accept what the RFC refuses.
 * A percent sign stands here wherever a percent-encoded triplet may: that each
 * starts one is looked at apart, since a loop over alternatives would overflow
 * its stack on long input. Captures the scheme, and the host of an authority.
 */
const URI =
  /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?(\[[^\]]*\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?(?![^/?#])|(?!\/\/))[\w.~!$&'()*+,;=:@/%-]*(?:\?[\w.~!$&'()*+,;=:@/?%-]*)?(?:#[\w.~!$&'()*+,;=:@/?%-]*)?$/
const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/

const GROUP = /^[0-9A-Fa-f]{1,4}$/
const DOTTED_END = /:(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/
const IPV_FUTURE = /^[Vv][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/

/**
 * The usual kind of http(s) URI: a part of the grammar, read without captures. Nothing in it
 * backtracks over more than it has read.
 */
const USUAL =
  /^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?][\w\-.~!$&'()*+,;=:@/?]*)?(?:#[\w\-.~!$&'()*+,;=:@/?]*)?$/
const MAX_USUAL_LENGTH = 2048

/**
 * The last few texts found usual, each where its length and two of its characters
 * put it: icons come back in every answer, and the walk judges again what a
 * builder has judged. To start with, a text that is usual.
 */
const recent = Array.from({ length: 64 }, () => 'http://a')

function isUsual(value: string): boolean {
  const { length } = value
  const mix = length * 7 + value.charCodeAt(length >> 1) * 5 + value.charCodeAt(length - 6) * 3
  const slot = mix & 63
  if (recent[slot] === value) return true
  if (length > MAX_USUAL_LENGTH || !USUAL.test(value)) return false
  recent[slot] = value
  return true
}

/** The URI schemes that a link or an icon may have unless an option says otherwise (A9). */
export const DEFAULT_URI_SCHEMES: readonly string[] = ['http', 'https']

/** What is wrong with a string where a URI is wanted; `undefined` when nothing is. */
export type UriFault = 'syntax' | 'scheme' | 'host'

/**
 * Judges a string against RFC 3986 and the scheme policy A9. An `http` or
 * `https` URI must name a host (section 3.2.2).
 *
 * @see docs/contract.md#uris
 */
export function uriFault(
  value: string,
  schemes: readonly string[] = DEFAULT_URI_SCHEMES,
): UriFault | undefined {
  if (isUsual(value)) {
    const isAllowed =
      schemes === DEFAULT_URI_SCHEMES || schemes.includes(value[4] === ':' ? 'http' : 'https')
    return isAllowed ? undefined : 'scheme'
  }
  const parts = partsOf(value)
  if (parts === null) return 'syntax'
  const scheme = parts[1]!.toLowerCase()
  if (!schemes.includes(scheme)) return 'scheme'
  return !parts[2] && (scheme === 'http' || scheme === 'https') ? 'host' : undefined
}

/** Tells whether a string is a `URI` of RFC 3986, whatever its scheme. */
export function isUri(value: string): boolean {
  return partsOf(value) !== null
}

/** Tells whether a string is a URI that Sidecard accepts in a payload (A9). */
export function isLink(value: string): boolean {
  return uriFault(value) === undefined
}

/** What {@link URI} captures; `null` for what is no URI. */
function partsOf(value: string): RegExpExecArray | null {
  if (LONE_PERCENT.test(value)) return null
  const parts = URI.exec(value)
  const host = parts?.[2]
  return host?.startsWith('[') && !isIpLiteral(host.slice(1, -1)) ? null : parts
}

function isIpLiteral(inside: string): boolean {
  return isIpv6(inside) || IPV_FUTURE.test(inside)
}

/** Eight groups, or at most seven with one `::`; a dotted IPv4 at the end stands for two. */
function isIpv6(text: string): boolean {
  const halves = text.replace(DOTTED_END, ':0:0').split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const fits = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
  return fits && groups.every((group) => GROUP.test(group))
}
