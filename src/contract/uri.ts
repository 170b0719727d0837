/**
 * The grammar of RFC 3986, appendix A, as one scan from left to right. Neither
 * `new URL()` nor the schema libraries implement it: they repair, trim and
 * accept what the RFC refuses. A regular expression of the same grammar is the
 * oracle of the tests; here it would overflow its stack on long input.
 */

// Which characters may stand where; percent-encoded triplets are read apart.
const SCHEME = /[A-Za-z0-9+.-]*/y
const PORT = /[0-9]*/y
const REG_NAME = /[\w.~!$&'()*+,;=-]*/y
const USERINFO = /[\w.~!$&'()*+,;=:-]*/y
const PATH = /[\w.~!$&'()*+,;=:@/-]*/y
const QUERY = /[\w.~!$&'()*+,;=:@/?-]*/y
const TRIPLET = /%[0-9A-Fa-f]{2}/y

const GROUP = /^[0-9A-Fa-f]{1,4}$/
const DOTTED_END = /:(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}$/
const IPV_FUTURE_START = /^[Vv][0-9A-Fa-f]+\./

/**
 * The usual kind of http(s) URI: a part of the grammar, read three times as fast
 * as the scan reads it. Nothing in it backtracks over more than it has read.
 */
const USUAL =
  /^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?][\w\-.~!$&'()*+,;=:@/?]*)?(?:#[\w\-.~!$&'()*+,;=:@/?]*)?$/
const MAX_USUAL_LENGTH = 2048

/**
 * The last few texts found usual, each where its length and its middle character
 * put it: icons come back in every answer, and the walk judges again what a
 * builder has judged. To start with, a text that is usual.
 */
const recent = Array.from({ length: 64 }, () => 'http://a')

function isUsual(value: string): boolean {
  const { length } = value
  const slot = (length * 7 + value.charCodeAt(length >> 1)) & 63
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
    return schemes.includes(value[4] === ':' ? 'http' : 'https') ? undefined : 'scheme'
  }
  const colon = endOfScheme(value)
  if (colon === 0) return 'syntax'
  const hostLength = scanAfterScheme(value, colon + 1)
  if (hostLength === SYNTAX_FAULT) return 'syntax'
  const scheme = value.slice(0, colon).toLowerCase()
  if (!schemes.includes(scheme)) return 'scheme'
  return hostLength === 0 && (scheme === 'http' || scheme === 'https') ? 'host' : undefined
}

/** Tells whether a string is a `URI` of RFC 3986, whatever its scheme. */
export function isUri(value: string): boolean {
  const colon = endOfScheme(value)
  return colon > 0 && scanAfterScheme(value, colon + 1) !== SYNTAX_FAULT
}

/** Tells whether a string is a URI that Sidecard accepts in a payload (A9). */
export function isLink(value: string): boolean {
  return uriFault(value) === undefined
}

const SYNTAX_FAULT = -1

/** The index of the colon that ends the scheme; 0 when there is no scheme. */
function endOfScheme(value: string): number {
  const first = value.charCodeAt(0) | 0x20
  if (!(first >= 0x61 && first <= 0x7a)) return 0
  const end = scan(value, 1, SCHEME)
  return value[end] === ':' ? end : 0
}

/** Reads `hier-part [ "?" query ] [ "#" fragment ]`; answers the length of the host. */
function scanAfterScheme(value: string, start: number): number {
  let at = start
  let hostLength = 0
  if (value[at] === '/' && value[at + 1] === '/') {
    const userinfoEnd = scan(value, at + 2, USERINFO)
    const hostStart = value[userinfoEnd] === '@' ? userinfoEnd + 1 : at + 2
    at =
      value[hostStart] === '[' ? endOfIpLiteral(value, hostStart) : scan(value, hostStart, REG_NAME)
    if (at === SYNTAX_FAULT) return SYNTAX_FAULT
    hostLength = at - hostStart
    if (value[at] === ':') at = scan(value, at + 1, PORT)
    // After an authority the path is empty or starts with a slash.
    if (at < value.length && value[at] !== '/' && value[at] !== '?' && value[at] !== '#') {
      return SYNTAX_FAULT
    }
  }
  at = scan(value, at, PATH)
  if (value[at] === '?') at = scan(value, at + 1, QUERY)
  if (value[at] === '#') at = scan(value, at + 1, QUERY)
  return at === value.length ? hostLength : SYNTAX_FAULT
}

/** The index of the first character from `start` on that may not stand in that place. */
function scan(value: string, start: number, place: RegExp): number {
  let at = start
  for (;;) {
    place.lastIndex = at
    place.test(value)
    TRIPLET.lastIndex = place.lastIndex
    if (place === SCHEME || place === PORT || !TRIPLET.test(value)) return place.lastIndex
    at = TRIPLET.lastIndex
  }
}

/** The index after the `]` of an `IP-literal` that starts at `start`. */
function endOfIpLiteral(value: string, start: number): number {
  const close = value.indexOf(']', start)
  if (close === -1) return SYNTAX_FAULT
  const inside = value.slice(start + 1, close)
  if (isIpv6(inside)) return close + 1
  const version = IPV_FUTURE_START.exec(inside)?.[0].length ?? inside.length
  if (version === inside.length) return SYNTAX_FAULT
  // Percent-encoding is not allowed here, though it is wherever `scan` reads.
  const isFuture = !inside.includes('%') && scan(inside, version, USERINFO) === inside.length
  return isFuture ? close + 1 : SYNTAX_FAULT
}

/** Eight groups, or at most seven with one `::`; a dotted IPv4 at the end stands for two. */
function isIpv6(text: string): boolean {
  const halves = text.replace(DOTTED_END, ':0:0').split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const fits = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
  return fits && groups.every((group) => GROUP.test(group))
}
