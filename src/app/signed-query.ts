const encoder = new TextEncoder()

/**
 * The text that a signature is made of: the query as JSON without spaces, keys
 * sorted by their code points, each value an array of all strings given for it,
 * in their order. `<`, `>`, `&`, U+2028 and U+2029 are escaped.
 */
export function signedText(url: string): string {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(queryOf(url))) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  const members = [...values]
    .toSorted(([one], [other]) => byCodePoint(one, other))
    .map(([name, all]) => `${JSON.stringify(name)}:${JSON.stringify(all)}`)
  return `{${members.join(',')}}`.replace(/[<>&\u2028\u2029]/g, escaped)
}

/** The key of a secret, to sign with or to verify with. */
export function hmacKey(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [usage])
}

/**
 * Signs the query of an address as the service does: hex HMAC-SHA256. For tests
 * of an app with `hmacSignature()`.
 *
 * @param url an address, whole or from its path on
 * @example
 * const path = '/?request_type=verify&code=c0de'
 * await app.request(path, { headers: { 'x-signature': await signQuery(path, secret) } })
 */
export async function signQuery(url: string, secret: string): Promise<string> {
  const key = await hmacKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(signedText(url)))
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

function queryOf(url: string): string {
  const end = url.indexOf('#')
  const whole = end === -1 ? url : url.slice(0, end)
  const question = whole.indexOf('?')
  return question === -1 ? '' : whole.slice(question + 1)
}

/** JavaScript's own order is by UTF-16 units, which puts emoji before some of what is below them. */
function byCodePoint(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at += 1) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue
    return codePointUnits(one.charCodeAt(at)) - codePointUnits(other.charCodeAt(at))
  }
  return one.length - other.length
}

/** A unit in an order in which surrogates, which stand for what is above U+FFFF, come last. */
function codePointUnits(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
