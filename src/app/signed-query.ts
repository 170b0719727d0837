import { readQuery } from './query.ts'

const encoder = new TextEncoder()

/**
 * Returns the text that is signed: the query as JSON without spaces, with keys
 * sorted by code point, and each value an array of all strings with that name, in
 * the given order. `<`, `>`, `&`, U+2028 and U+2029 are escaped.
 */
export function createSignedText(url: string): string {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(readQuery(url))) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  const members = [...values]
    .toSorted(([one], [other]) => compareCodePoints(one, other))
    .map(([name, all]) => `${JSON.stringify(name)}:${JSON.stringify(all)}`)
  return `{${members.join(',')}}`.replace(/[<>&\u2028\u2029]/g, escapeCharacter)
}

/** Imports a secret as a key that signs or verifies. */
export function importHmacKey(secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [usage])
}

/**
 * Signs the query of a URL: hex HMAC-SHA256. For your own gateway, and for tests
 * of an app with `hmacSignature()`. The service does not sign its requests.
 *
 * @param url a whole URL, or its path and query
 * @example
 * const path = '/?request_type=verify&code=c0de'
 * await app.request(path, { headers: { 'x-signature': await signQuery(path, secret) } })
 */
export async function signQuery(url: string, secret: string): Promise<string> {
  const key = await importHmacKey(secret, 'sign')
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(createSignedText(url)))
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

/** JavaScript sorts by UTF-16 units, which puts emoji before some lower code points. */
function compareCodePoints(left: string, right: string): number {
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue
    return rankUnit(left.charCodeAt(at)) - rankUnit(right.charCodeAt(at))
  }
  return left.length - right.length
}

/** Ranks surrogates last: they encode code points above U+FFFF. */
function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
