import { base64url, EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'

/** The keys that are derived from one secret. */
export interface Keys {
  readonly link: CryptoKey
  readonly form: CryptoKey
  readonly receipt: CryptoKey
  readonly session: CryptoKey
  readonly review: CryptoKey
}

/** The shortest secret. `openssl rand -hex 32` has 64 characters. */
export const MIN_SECRET_LENGTH = 32

/** Derives keys from a secret, with HKDF. */
export async function deriveKeys(secret: string): Promise<Keys> {
  const bytes = new TextEncoder().encode(secret)
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits'])
  const derive = async (purpose: string) => {
    const info = new TextEncoder().encode(`sidecard/actions/1/${purpose}`)
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256))
  }
  const importKey = async (purpose: string) =>
    crypto.subtle.importKey('raw', await derive(purpose), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return {
    link: await importKey('link'),
    receipt: await importKey('receipt'),
    session: await importKey('session'),
    form: await crypto.subtle.importKey('raw', await derive('form'), hmac, false, ['sign']),
    review: await crypto.subtle.importKey('raw', await derive('review'), hmac, false, ['sign']),
  }
}

/** Encrypts claims: a JWE with a direct key. */
export function seal(claims: JWTPayload, key: CryptoKey): Promise<string> {
  return new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/**
 * Decrypts claims, and finds the keys of their secret among several; `undefined` if none fits, or
 * if the claims are about something else. Callers compare the times, because each tolerates a
 * different delay.
 */
export async function unseal(
  token: string,
  keys: readonly Keys[],
  purpose: 'link' | 'receipt' | 'session',
  expected: { readonly audience: string } | { readonly subject: string },
) {
  for (const each of keys) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first key is nearly always the right one
      const { payload } = await jwtDecrypt(token, each[purpose], {
        ...expected,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        // In 1970, no token has expired.
        currentDate: new Date(0),
      })
      return { claims: payload, keys: each }
    } catch {
      // The next key may fit.
    }
  }
  return undefined
}

/** Returns the token of a form, which binds it to its link and to the agent who loaded it. */
export function createFormToken({ form }: Keys, linkId: string, agentId: string | undefined) {
  return sign(form, linkId, agentId)
}

/** Values to sign or to digest. In JSON, an absent one is `null`. */
type Parts = ReadonlyArray<string | null | undefined>

/** Returns the HMAC of values, as text. */
export async function sign(key: CryptoKey, ...parts: Parts): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(parts))))
}

/** Returns a random ID. */
export function createId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
}

/** Returns a digest of values, so that stores do not learn what a receipt is about. */
export async function digest(...parts: Parts): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', toBytes(parts))))
}

function toBytes(parts: Parts): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(parts))
}

/**
 * Returns a text that is equal for equal values, whatever the order of their
 * properties. An absent property is the same as `undefined`, but not as `null`.
 *
 * @throws {TypeError} for a value that has no such text, such as a `Map` or an instance of a class
 */
export function toCanonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol' || typeof value === 'function') throw noText()
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, toCanonicalText).join()}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toCanonicalText(value.toJSON())
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) throw noText()
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  const texts = properties
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, property]) => `${JSON.stringify(name)}:${toCanonicalText(property)}`)
  return `{${texts.join()}}`
}

function noText(): TypeError {
  return new TypeError('no canonical text')
}
