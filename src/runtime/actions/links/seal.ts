import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'

/** Encrypts claims: a JWE with a direct key. */
export function seal(claims: JWTPayload, key: CryptoKey): Promise<string> {
  return new EncryptJWT(claims).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key)
}

/** Decrypted claims, and the index of their key. */
export interface Unsealed {
  readonly claims: JWTPayload
  readonly keyIndex: number
  readonly hasExpired: boolean
}

/** The claims that a token must contain, and the required values of some of them. */
interface Expected {
  readonly requiredClaims: string[]
  readonly audience?: string
  readonly subject?: string
}

/**
 * Decrypts claims with one of several keys; `undefined` if no key fits, or if the
 * claims are not as expected.
 */
export async function unseal(
  token: string,
  keys: readonly CryptoKey[],
  expected: Expected,
  nowMs: number,
): Promise<Unsealed | undefined> {
  for (const [keyIndex, key] of keys.entries()) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first key is nearly always the right one
      const { payload } = await jwtDecrypt(token, key, {
        ...expected,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        currentDate: new Date(nowMs),
        clockTolerance: 0,
      })
      return { claims: payload, keyIndex, hasExpired: false }
    } catch (error) {
      // jose verifies the times last, so the rest of this token is valid.
      if (error instanceof errors.JWTExpired) {
        return { claims: error.payload, keyIndex, hasExpired: true }
      }
    }
  }
  return undefined
}
