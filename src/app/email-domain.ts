/** Characters that a URL parser would drop, decode or interpret as another part of a URL. */
const NO_HOST = /[\p{Cc}\p{Cf}\p{Z}/\\?#@:%[\]]/u

const HOST = /^(?=.{1,253}$)[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/

/** One quoted string: a quote inside it is escaped. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

/**
 * Returns an email address trimmed and with its ASCII letters in lowercase;
 * `undefined` for a blank one. The Kelvin sign is no `k`: the address of another
 * person must not become that of a customer.
 */
export function normalizeEmail(email: string | undefined): string | undefined {
  const normalized = email?.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return normalized === '' ? undefined : normalized
}

/**
 * Returns the host of an email address, lowercase and in punycode, or `undefined`
 * if the address is not clearly one at a domain.
 */
export function emailDomain(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  // Outside of one quoted string, a quote or a second @ means that this is not one address.
  if (local === '' || (/["@]/.test(local) && !QUOTED.test(local))) return undefined
  return normalizeDomain(email.slice(at + 1))
}

/** Returns a domain in lowercase and punycode; `undefined` if it is not one. */
export function normalizeDomain(domain: string): string | undefined {
  if (domain === '' || NO_HOST.test(domain)) return undefined
  try {
    const host = new URL(`https://${domain}`).hostname.replace(/\.$/, '')
    // The parser turns numbers into an IPv4 address.
    return HOST.test(host) && !/\.\d+$|^\d+$/.test(host) ? host : undefined
  } catch {
    return undefined
  }
}
