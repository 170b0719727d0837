import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const now = () => Math.floor(Date.now() / 1_000)

const pairs = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>()

/** Returns a key pair that all tests of a process share, because its creation is slow. */
export async function sharedKeyPair(alg: string) {
  const found = pairs.get(alg) ?? (await generateKeyPair(alg, { extractable: true }))
  pairs.set(alg, found)
  return found
}

/** Signs tokens, and answers requests for its public keys. */
export async function createSigner(alg = 'RS256') {
  const { publicKey, privateKey } = await sharedKeyPair(alg)
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg }
  const requests: string[] = []
  const fetch = async (url: string) => (requests.push(url), Response.json({ keys: [jwk] }))
  /** Signs claims of an agent. `undefined` removes one. */
  function sign(claims: object, header: object = {}, key: CryptoKey | Uint8Array = privateKey) {
    const all = {
      email: 'robin@acme.example',
      sub: 'user-7',
      iat: now(),
      exp: now() + 60,
      ...claims,
    }
    const kept = Object.entries(all).filter(([, value]) => value !== undefined)
    const jwt = new SignJWT(Object.fromEntries(kept))
    return jwt.setProtectedHeader({ alg, kid: 'k1', ...header }).sign(key)
  }
  return { jwk, requests, fetch, sign }
}
