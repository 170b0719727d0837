/** The scheme and the authority, which the parser has made valid. */
const ORIGIN = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?/

/** Characters that the URL standard does not encode and RFC 3986 does not allow. */
const INVALID = /%(?![\dA-F]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi

/** Returns a URL as a URI of RFC 3986: with the other characters percent-encoded. */
export function toUri({ href }: URL): string {
  const origin = ORIGIN.exec(href)?.[0] ?? ''
  const [main = '', ...fragment] = href.slice(origin.length).split('#')
  const encoded = main.replace(INVALID, encodeURIComponent)
  if (fragment.length === 0) return `${origin}${encoded}`
  return `${origin}${encoded}#${fragment.join('#').replace(INVALID, encodeURIComponent)}`
}
