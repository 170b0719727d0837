/**
 * The grammar of RFC 3986, appendix A, written down production by production.
 * Neither `new URL()` nor the schema libraries implement it: they repair, trim
 * and accept what the RFC refuses.
 */
const pctEncoded = '%[0-9A-Fa-f]{2}'
const unreserved = '[A-Za-z0-9\\-._~]'
const subDelims = "[!$&'()*+,;=]"
const pchar = `(?:${unreserved}|${pctEncoded}|${subDelims}|[:@])`
const segment = `${pchar}*`
const segmentNz = `${pchar}+`

const decOctet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = `${decOctet}(?:\\.${decOctet}){3}`
const h16 = '[0-9A-Fa-f]{1,4}'
const ls32 = `(?:${h16}:${h16}|${ipv4})`
const ipv6 = `(?:${[
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `(?:${h16})?::(?:${h16}:){4}${ls32}`,
  `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
  `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
  `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
  `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join('|')})`
const ipvFuture = `[Vv][0-9A-Fa-f]+\\.(?:${unreserved}|${subDelims}|:)+`
const ipLiteral = `\\[(?:${ipv6}|${ipvFuture})\\]`
const regName = `(?:${unreserved}|${pctEncoded}|${subDelims})*`

const userinfo = `(?:${unreserved}|${pctEncoded}|${subDelims}|:)*`
const authority = `(?:${userinfo}@)?(?<host>${ipLiteral}|${regName})(?::[0-9]*)?`
const hierPart = `(?://${authority}(?:/${segment})*|/(?:${segmentNz}(?:/${segment})*)?|${segmentNz}(?:/${segment})*|)`
const queryOrFragment = `(?:${pchar}|[/?])*`

const URI = new RegExp(
  `^(?<scheme>[A-Za-z][A-Za-z0-9+\\-.]*):${hierPart}(?:\\?${queryOrFragment})?(?:#${queryOrFragment})?$`,
)

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
  const groups = URI.exec(value)?.groups
  if (groups === undefined) return 'syntax'
  const scheme = groups['scheme']?.toLowerCase() ?? ''
  if (!schemes.includes(scheme)) return 'scheme'
  if ((scheme === 'http' || scheme === 'https') && !groups['host']) return 'host'
  return undefined
}

/** Tells whether a string is a `URI` of RFC 3986, whatever its scheme. */
export function isUri(value: string): boolean {
  return URI.test(value)
}

/** Tells whether a string is a URI that Sidecard accepts in a payload (A9). */
export function isLink(value: string): boolean {
  return uriFault(value) === undefined
}
