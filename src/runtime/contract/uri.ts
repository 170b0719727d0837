/**
 * The grammar of RFC 3986, appendix A. Neither `new URL()` nor schema libraries
 * implement it: they repair, trim and accept strings that the RFC rejects. The
 * pattern allows a percent sign wherever a percent-encoded triplet is allowed. A
 * separate check requires that each one starts a triplet, because a repeated
 * alternative would overflow the stack on long input. Captures the scheme, and the
 * host of an authority.
 */
const URI =
  /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?(\[[^\]]*\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?(?![^/?#])|(?!\/\/))[\w.~!$&'()*+,;=:@/%-]*(?:\?[\w.~!$&'()*+,;=:@/?%-]*)?(?:#[\w.~!$&'()*+,;=:@/?%-]*)?$/
const LONE_PERCENT = /%(?![0-9A-Fa-f]{2})/

const IPV_FUTURE = /^[Vv][0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+$/

/** Matches most http(s) URIs, which are a part of the grammar, without captures or backtracking. */
const COMMON_URL =
  /^https?:\/\/[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?][\w\-.~!$&'()*+,;=:@/?]*)?(?:#[\w\-.~!$&'()*+,;=:@/?]*)?$/
const MAX_COMMON_LENGTH = 2048

/** The URI schemes that no link may have, because a browser runs or renders their content. */
export const SCRIPT_URI_SCHEMES: readonly string[] = ['javascript', 'data', 'vbscript']

const SCRIPT = new RegExp(`^(?:${SCRIPT_URI_SCHEMES.join('|')}):`, 'i')
/** Matches whitespace and control characters, which browsers ignore in a scheme. */
// oxlint-disable-next-line no-control-regex -- browsers ignore exactly these
const IGNORED_IN_SCHEME = /[\0- ]/g

/** The URI schemes that a link may have by default (A9). */
export const DEFAULT_URI_SCHEMES: readonly string[] = ['http', 'https', 'mailto', 'tel']

/** The URI schemes that an icon may have. */
export const ICON_URI_SCHEMES: readonly string[] = ['http', 'https']

/**
 * The reason why {@link checkUri} rejects a string: it is not a URI, its scheme is
 * not allowed, it is an http(s) URI without a host, or it is a script.
 */
export type UriProblem = 'syntax' | 'scheme' | 'host' | 'script'

/**
 * Checks a string against RFC 3986 and the scheme policy A9. An `http` or
 * `https` URI must have a host (section 3.2.2). A `javascript:`, `data:` or
 * `vbscript:` URI is rejected even if `schemes` contains it.
 *
 * @param schemes in lowercase, or `'any'`
 * @returns `undefined` if the URI is valid
 *
 * @see docs/contract.md#uris
 */
export function checkUri(
  value: string,
  schemes: readonly string[] | 'any' = DEFAULT_URI_SCHEMES,
): UriProblem | undefined {
  if (value.length <= MAX_COMMON_LENGTH && COMMON_URL.test(value)) {
    return isAllowed(value[4] === ':' ? 'http' : 'https', schemes) ? undefined : 'scheme'
  }
  const parts = parseUri(value)
  if (parts === null) {
    return SCRIPT.test(value.slice(0, 100).replaceAll(IGNORED_IN_SCHEME, '')) ? 'script' : 'syntax'
  }
  if (SCRIPT.test(value)) return 'script'
  const scheme = parts[1]!.toLowerCase()
  if (!isAllowed(scheme, schemes)) return 'scheme'
  return !parts[2] && (scheme === 'http' || scheme === 'https') ? 'host' : undefined
}

function isAllowed(scheme: string, schemes: readonly string[] | 'any'): boolean {
  return schemes === 'any' || schemes.includes(scheme)
}

/**
 * Returns whether a string is a URI of RFC 3986, with any scheme.
 *
 * @example
 * isUri('slack://channel?id=7') // true: any scheme
 * isUri('/accounts/7') // false: no scheme
 */
export function isUri(value: string): boolean {
  return parseUri(value) !== null
}

/**
 * Returns whether a string is a URI that a link or button may have by default (A9).
 *
 * @example
 * isLink('mailto:ada@example.com') // true
 * isLink('javascript:alert(1)') // false
 */
export function isLink(value: string): boolean {
  return checkUri(value) === undefined
}

/**
 * Returns whether a string is a URI that an icon may have: `http` or `https`, with a host.
 *
 * @example
 * isIconUrl('https://example.com/icon.png') // true
 * isIconUrl('mailto:ada@example.com') // false
 */
export function isIconUrl(value: string): boolean {
  return checkUri(value, ICON_URI_SCHEMES) === undefined
}

/** Returns the captures of {@link URI}, or `null` if the string is not a URI. */
function parseUri(value: string): RegExpExecArray | null {
  if (LONE_PERCENT.test(value)) return null
  const parts = URI.exec(value)
  const host = parts?.[2]
  return host?.startsWith('[') && !isIpLiteral(host.slice(1, -1)) ? null : parts
}

function isIpLiteral(inside: string): boolean {
  // The URL parser has the same IPv6 grammar, but it also removes tabs and line breaks.
  const isIpv6 = /^[0-9A-Fa-f:.]+$/.test(inside) && URL.canParse(`http://[${inside}]`)
  return isIpv6 || IPV_FUTURE.test(inside)
}
