/**
 * The grammar of RFC 3986, appendix A, as a regular expression, production by
 * production: the reference for `src/runtime/contract/uri.ts`. It overflows the stack for
 * megabytes of input, so it is used in tests only.
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

/** `URI` of appendix A, with a named group for the host. */
export const URI_OF_RFC_3986 = new RegExp(
  `^(?<scheme>[A-Za-z][A-Za-z0-9+\\-.]*):${hierPart}(?:\\?${queryOrFragment})?(?:#${queryOrFragment})?$`,
)
